/** Renders the help of the program and of each command from the list of commands; without the parser, to be fast. */

import type { Language } from '../../text/languages.ts';
import { asTyped, programName } from '../../text/run-words.ts';
import type { Appendix, Command } from '../command.ts';
import { chapters } from '../command-list.ts';
import { runExitCodes } from '../exit-codes.ts';
import type { Flag, FlagGroup } from '../flags/flag.ts';
import { type HelpTexts, helpTexts } from './texts.ts';
import { columnsOf, leavesRoom, renderWordList, type WordRow, widest, wrapText } from './word-list.ts';

/** Lines that a terminal of 40 lines shows above the prompt. */
const screenLines = 39;

const programFlags: FlagGroup = {
  title: 'Always',
  flags: { help: { describe: 'show this, or the help of the command', letter: 'h' } },
};

/** The help of the program, wrapped to `width` columns. */
export async function renderOverview(width: number, language: Language): Promise<string> {
  const say = await helpTexts(language);
  const lists = chapters.map(({ title, commands }) => ({
    title,
    rows: commands.map(({ name, summary }): WordRow => [name, firstClause(say.of(summary))]),
  }));
  return paragraphs([
    [`${programName()} COMMAND [OPTIONS]`],
    wrapText(say.sentence, width),
    ...renderLists(lists, width, say),
    renderCommon(width, say),
    [...renderExitCodes(runExitCodes, width, say), ...wrapText(say.version, width)],
  ]);
}

/** What a user needs who types `batch` alone. */
export async function renderFirstSteps(width: number, language: Language): Promise<string> {
  const say = await helpTexts(language);
  return paragraphs([
    [`${programName()} COMMAND [OPTIONS]`],
    wrapText(say.sentence, width),
    renderCommon(width, say),
    wrapText(say.commands, width),
  ]);
}

function renderCommon(width: number, { common, check, run, rehearse }: HelpTexts): string[] {
  const lines: readonly WordRow[] = [
    [`${programName()} check questions.csv`, check],
    [`${programName()} run questions.csv --max-points 5000`, run],
    [`${programName()} run questions.csv --simulate`, rehearse],
  ];
  return [common, ...renderWordList(lines, width)];
}

/** The help of one command, wrapped to `width` columns: whole if a screen shows it, else as much as it shows. */
export async function renderCommandHelp(
  command: Command,
  width: number,
  language: Language,
): Promise<string> {
  const [appendix, say] = await Promise.all([command.appendix?.(), helpTexts(language)]);
  let text = renderWhole(command, appendix, width, say);
  for (let count = command.groups.length; count > 0 && !fitsScreen(text); count -= 1)
    text = renderShortHelp(command, appendix, count, width, say);
  return text;
}

function fitsScreen(text: string): boolean {
  return text.trimEnd().split('\n').length <= screenLines;
}

/** All that is to say of a command: the options that matter and examples, then all the others. */
export async function renderWholeHelp(command: Command, width: number, language: Language): Promise<string> {
  return renderWhole(command, await command.appendix?.(), width, await helpTexts(language));
}

function renderWhole(
  command: Command,
  appendix: Appendix | undefined,
  width: number,
  say: HelpTexts,
): string {
  const words = argumentRows(command, say);
  const lists = renderLists(
    [
      ...(words.length === 0 ? [] : [{ title: say.arguments, rows: words }]),
      ...[...command.groups, programFlags].map((group) => wholeList(group, say)),
    ],
    width,
    say,
  );
  const firstCount = words.length + 1;
  return paragraphs([
    ...renderTop(command, width, say),
    ...lists.slice(0, firstCount),
    renderExamples(command.examples, width, say),
    ...lists.slice(firstCount),
    ...(appendix === undefined ? [] : renderLists([inWords(appendix, say)], width, say)),
    ...renderLists([inWords({ title: say.exitCodes, rows: command.exitCodes }, say)], width, say),
  ]);
}

/** Each meaning in one clause; the options of the groups after the first `count` by their names alone. */
function renderShortHelp(
  command: Command,
  appendix: Appendix | undefined,
  count: number,
  width: number,
  say: HelpTexts,
): string {
  const { name, groups, examples, exitCodes } = command;
  const [first = [], ...more] = renderLists(
    groups.slice(0, count).map((group) => shortList(group, say)),
    width,
    say,
  );
  const others = [
    ...groups.slice(count).map(({ title, flags }) => ({ title, words: Object.keys(flags) })),
    ...(appendix === undefined
      ? []
      : [{ title: appendix.title, words: appendix.rows.map(([word]) => word) }]),
  ];
  return paragraphs([
    ...renderTop(command, width, say),
    first,
    renderExamples(
      examples.slice(0, 3).map(([line, purpose]) => [line, firstClause(say.of(purpose))]),
      width,
      say,
    ),
    ...more,
    [say.rest(`batch ${name} --help all`), ...renderNames(others, width, say)],
    renderExitCodes(exitCodes, width, say),
  ]);
}

/** A list of words under its title. */
interface WordList {
  readonly title: string;
  readonly rows: readonly WordRow[];
}

/** Lists whose meanings begin in the same column. */
function renderLists(lists: readonly WordList[], width: number, say: HelpTexts): string[][] {
  const wordWidth = Math.max(...lists.map(({ rows }) => widest(rows)));
  return lists.map(({ title, rows }) => [
    `${say.of(title)}${say.colon}`,
    ...renderWordList(rows, width, wordWidth),
  ]);
}

/** The meanings in the language of the help. */
function inWords({ title, rows }: WordList, say: HelpTexts): WordList {
  return { title, rows: rows.map(([word, meaning]) => [word, say.of(meaning)]) };
}

function wholeList({ title, flags }: FlagGroup, say: HelpTexts): WordList {
  return { title, rows: Object.entries(flags).map(([long, flag]) => flagRow(long, flag, say)) };
}

function shortList({ title, flags }: FlagGroup, say: HelpTexts): WordList {
  const rows = Object.entries(flags).map(([long, flag]) =>
    flagRow(long, { ...flag, describe: firstClause(say.of(flag.describe)), repeats: false }, say),
  );
  return { title, rows };
}

/** A line for each list: its title, and as many of its words as the line holds. */
function renderNames(
  lists: readonly { readonly title: string; readonly words: readonly string[] }[],
  width: number,
  say: HelpTexts,
): string[] {
  const titles = lists.map(({ title }) => say.of(title));
  const start = Math.max(0, ...titles.map(columnsOf)) + 4;
  return lists.map(({ words }, at) => {
    const title = titles[at] ?? '';
    const [line = '', more] = wrapText(words.join(', '), width - start - ' ...'.length);
    const gap = ' '.repeat(start - 2 - columnsOf(title));
    return `  ${title}${gap}${more === undefined ? line : `${line} ...`}`;
  });
}

/** What stands before a semicolon or brackets. */
function firstClause(text: string): string {
  return text.replace(/(?:;| \(|；|（).*$/, '');
}

/** In as few lines as can be. */
function renderExitCodes(exitCodes: Command['exitCodes'], width: number, say: HelpTexts): string[] {
  const meanings = exitCodes.map(([code, meaning]) => `${code} ${firstClause(say.of(meaning))}`);
  const lead = `${say.exitCodes}${say.colon}`.replace(/:$/, ': ');
  return wrapText(lead + meanings.join(say.semicolon), width);
}

/** What to type, and what it does. */
function renderTop(command: Command, width: number, say: HelpTexts): string[][] {
  return [renderSynopsis(command, width), wrapText(say.whole(say.of(command.summary)), width)];
}

/** What to type, broken between words; the later lines are indented. */
function renderSynopsis({ name, synopsis }: Command, width: number): string[] {
  const lines = wrapText(`${programName()} ${name} ${synopsis}`, width - 4);
  return lines.map((line, at) => (at === 0 ? line : `    ${line}`));
}

/** A command line is never wrapped, so that it can be copied. */
function renderExamples(examples: Command['examples'], width: number, say: HelpTexts): string[] {
  const rows = examples.map(([line, purpose]): WordRow => [`${programName()} ${line}`, say.of(purpose)]);
  return [
    `${say.examples}${say.colon}`,
    ...renderWordList(rows, width, widest(rows.filter(([line]) => leavesRoom(line, width)))),
  ];
}

/** The argument as the synopsis shows it: `FILE`, `DIR`. */
function argumentRows({ argument, synopsis }: Command, say: HelpTexts): readonly WordRow[] {
  if (argument === undefined) return [];
  const { name, value, isList } = argument;
  const word = typeof value !== 'string' ? name.toUpperCase() : isList ? synopsis.split(' (')[0] : value;
  return [[word ?? '', meaningOf(argument, say)]];
}

/** A flag with its value, and its meaning. */
function flagRow(long: string, flag: Flag, say: HelpTexts): WordRow {
  const letter = flag.letter === undefined ? '    ' : `-${flag.letter}, `;
  return [`${letter}--${long}${valueName(flag)}`, meaningOf(flag, say)];
}

function valueName({ value }: Flag): string {
  if (value === undefined) return '';
  return ` ${typeof value === 'string' ? value : value.join('|')}`;
}

function meaningOf(
  { describe, otherwise, repeats }: Pick<Flag, 'describe' | 'otherwise' | 'repeats'>,
  say: HelpTexts,
): string {
  const meaning = say.of(describe);
  const more = repeats === true ? say.repeated(meaning) : meaning;
  return otherwise === undefined ? more : more + say.otherwise(say.of(otherwise));
}

function paragraphs(blocks: readonly (readonly string[])[]): string {
  return `${blocks.map((lines) => lines.map(asTyped).join('\n')).join('\n\n')}\n`;
}
