/** Renders the help of the program and of each command from the list of commands; without the parser, to be fast. */

import { english } from '../../terminal/phrases/measures.ts';
import type { Phrases } from '../../terminal/phrases/phrases.ts';
import { asTyped, programName } from '../../text/run-words.ts';
import type { Appendix, Command } from '../command.ts';
import { chapters } from '../command-list.ts';
import { runExitCodes } from '../exit-codes.ts';
import type { Flag, FlagGroup } from '../flags.ts';
import { leavesRoom, renderWordList, type WordRow, widest, wrapText } from './word-list.ts';

/** Lines that a terminal of 40 lines shows above the prompt. */
const screenLines = 39;

const programFlags: FlagGroup = {
  title: 'Always',
  flags: { help: { describe: 'show this, or the help of the command', letter: 'h' } },
};

/** The help of the program, wrapped to `width` columns. */
export function renderOverview(width: number): string {
  const lists = chapters.map(({ title, commands }) => ({ title, rows: commands.map(rowOf) }));
  return paragraphs([
    [`${programName()} COMMAND [OPTIONS]`],
    wrapText(english.overview.sentence, width),
    ...renderLists(lists, width),
    renderCommon(width, english),
    [
      ...renderExitCodes(runExitCodes, width),
      ...wrapText('`batch COMMAND --help` shows its options, `batch --version` the version.', width),
    ],
  ]);
}

/** What a user needs who types `batch` alone. */
export function renderFirstSteps(width: number, say: Phrases): string {
  const { sentence, more } = say.overview;
  return paragraphs([
    [`${programName()} COMMAND [OPTIONS]`],
    wrapText(sentence, width),
    renderCommon(width, say),
    wrapText(more, width),
  ]);
}

function renderCommon(width: number, { overview }: Pick<Phrases, 'overview'>): string[] {
  const lines: readonly WordRow[] = [
    [`${programName()} check questions.csv`, overview.check],
    [`${programName()} run questions.csv --max-points 5000`, overview.run],
    [`${programName()} run questions.csv --simulate`, overview.rehearse],
  ];
  return [overview.common, ...renderWordList(lines, width)];
}

function rowOf({ name, summary }: Command): WordRow {
  return [name, firstClause(summary)];
}

/** The help of one command, wrapped to `width` columns: whole if a screen shows it, else as much as it shows. */
export async function renderCommandHelp(command: Command, width: number): Promise<string> {
  const appendix = await command.appendix?.();
  let text = renderWhole(command, appendix, width);
  for (let count = command.groups.length; count > 0 && !fitsScreen(text); count -= 1)
    text = renderShortHelp(command, appendix, count, width);
  return text;
}

function fitsScreen(text: string): boolean {
  return text.trimEnd().split('\n').length <= screenLines;
}

/** All that is to say of a command: the options that matter and examples, then all the others. */
export async function renderWholeHelp(command: Command, width: number): Promise<string> {
  return renderWhole(command, await command.appendix?.(), width);
}

function renderWhole(command: Command, appendix: Appendix | undefined, width: number): string {
  const words = argumentRows(command);
  const lists = renderLists(
    [
      ...(words.length === 0 ? [] : [{ title: 'Arguments', rows: words }]),
      ...[...command.groups, programFlags].map(wholeList),
    ],
    width,
  );
  const firstCount = words.length + 1;
  return paragraphs([
    ...renderTop(command, width),
    ...lists.slice(0, firstCount),
    renderExamples(command.examples, width),
    ...lists.slice(firstCount),
    ...(appendix === undefined ? [] : renderLists([appendix], width)),
    ...renderLists([{ title: 'Exit codes', rows: command.exitCodes }], width),
  ]);
}

/** Each meaning in one clause; the options of the groups after the first `count` by their names alone. */
function renderShortHelp(
  command: Command,
  appendix: Appendix | undefined,
  count: number,
  width: number,
): string {
  const { name, groups, examples, exitCodes } = command;
  const [first = [], ...more] = renderLists(groups.slice(0, count).map(shortList), width);
  const others = [
    ...groups.slice(count).map(({ title, flags }) => ({ title, words: Object.keys(flags) })),
    ...(appendix === undefined
      ? []
      : [{ title: appendix.title, words: appendix.rows.map(([word]) => word) }]),
  ];
  return paragraphs([
    ...renderTop(command, width),
    first,
    renderExamples(
      examples.slice(0, 3).map(([line, purpose]) => [line, firstClause(purpose)]),
      width,
    ),
    ...more,
    [`More, and more about these: \`batch ${name} --help all\``, ...renderNames(others, width)],
    renderExitCodes(exitCodes, width),
  ]);
}

/** A list of words under its title. */
interface WordList {
  readonly title: string;
  readonly rows: readonly WordRow[];
}

/** Lists whose meanings begin in the same column. */
function renderLists(lists: readonly WordList[], width: number): string[][] {
  const wordWidth = Math.max(...lists.map(({ rows }) => widest(rows)));
  return lists.map(({ title, rows }) => [`${title}:`, ...renderWordList(rows, width, wordWidth)]);
}

function wholeList({ title, flags }: FlagGroup): WordList {
  return { title, rows: Object.entries(flags).map(([long, flag]) => flagRow(long, flag)) };
}

function shortList({ title, flags }: FlagGroup): WordList {
  const rows = Object.entries(flags).map(([long, flag]) =>
    flagRow(long, { ...flag, describe: firstClause(flag.describe), repeats: false }),
  );
  return { title, rows };
}

/** A line for each list: its title, and as many of its words as the line holds. */
function renderNames(
  lists: readonly { readonly title: string; readonly words: readonly string[] }[],
  width: number,
): string[] {
  const start = Math.max(0, ...lists.map(({ title }) => title.length)) + 4;
  return lists.map(({ title, words }) => {
    const [line = '', more] = wrapText(words.join(', '), width - start - ' ...'.length);
    return `  ${title}`.padEnd(start) + (more === undefined ? line : `${line} ...`);
  });
}

/** What stands before a semicolon or brackets. */
function firstClause(text: string): string {
  return text.replace(/(?:;| \().*$/, '');
}

/** In as few lines as can be. */
function renderExitCodes(exitCodes: Command['exitCodes'], width: number): string[] {
  const meanings = exitCodes.map(([code, meaning]) => `${code} ${firstClause(meaning)}`);
  return wrapText(`Exit codes: ${meanings.join('; ')}`, width);
}

/** What to type, and what it does. */
function renderTop(command: Command, width: number): string[][] {
  const { summary } = command;
  const sentence = `${summary.charAt(0).toUpperCase()}${summary.slice(1)}.`;
  return [renderSynopsis(command, width), wrapText(sentence, width)];
}

/** What to type, broken between words; the later lines are indented. */
function renderSynopsis({ name, synopsis }: Command, width: number): string[] {
  const lines = wrapText(`${programName()} ${name} ${synopsis}`, width - 4);
  return lines.map((line, at) => (at === 0 ? line : `    ${line}`));
}

/** A command line is never wrapped, so that it can be copied. */
function renderExamples(examples: Command['examples'], width: number): string[] {
  const rows = examples.map(([line, purpose]): WordRow => [`${programName()} ${line}`, purpose]);
  return [
    'Examples:',
    ...renderWordList(rows, width, widest(rows.filter(([line]) => leavesRoom(line, width)))),
  ];
}

/** The argument as the synopsis shows it: `FILE`, `DIR`. */
function argumentRows({ argument, synopsis }: Command): readonly WordRow[] {
  if (argument === undefined) return [];
  const { name, value, isList } = argument;
  const word = typeof value !== 'string' ? name.toUpperCase() : isList ? synopsis.split(' (')[0] : value;
  return [[word ?? '', meaningOf(argument)]];
}

/** A flag with its value, and its meaning. */
function flagRow(long: string, flag: Flag): WordRow {
  const letter = flag.letter === undefined ? '    ' : `-${flag.letter}, `;
  return [`${letter}--${long}${valueName(flag)}`, meaningOf(flag)];
}

function valueName({ value }: Flag): string {
  if (value === undefined) return '';
  return ` ${typeof value === 'string' ? value : value.join('|')}`;
}

function meaningOf({
  describe,
  otherwise,
  repeats,
}: Pick<Flag, 'describe' | 'otherwise' | 'repeats'>): string {
  const more = repeats === true ? '; may be repeated' : '';
  return `${describe}${more}${otherwise === undefined ? '' : ` (default: ${otherwise})`}`;
}

function paragraphs(blocks: readonly (readonly string[])[]): string {
  return `${blocks.map((lines) => lines.map(asTyped).join('\n')).join('\n\n')}\n`;
}
