/** Renders the help of the program and of each command from the list of commands; without the parser, to be fast. */

import { english, type Phrases } from '../terminal/phrases/phrases.ts';
import { asTyped, programName } from '../text/run-words.ts';
import type { Command } from './command.ts';
import { chapters, commands } from './command-list.ts';
import { runExitCodes } from './exit-codes.ts';
import type { Flag, FlagGroup } from './flags.ts';
import { renderWordList, type WordRow, widest, wrapText } from './word-list.ts';

const programFlags: FlagGroup = {
  title: 'Always',
  flags: { help: { describe: 'show this, or the help of the command', letter: 'h' } },
};

/** The help of the program, wrapped to `width` columns. */
export function renderOverview(width: number): string {
  const rows = commands.map(rowOf);
  const wordWidth = widest(rows);
  const lists = chapters.map((chapter) => [
    `${chapter.title}:`,
    ...renderWordList(chapter.commands.map(rowOf), width, wordWidth),
  ]);
  return paragraphs([
    [`${programName()} COMMAND [OPTIONS]`],
    wrapText(english.overview.sentence, width),
    ...lists,
    renderCommon(width, english),
    ['Exit codes:', ...renderWordList(runExitCodes, width)],
    wrapText('`batch COMMAND --help` shows the options of a command, `batch --version` the version.', width),
  ]);
}

/** What a user needs who types `batch` alone: the whole help in English, the first commands in another language. */
export function renderFirstSteps(width: number, say: Phrases): string {
  if (say === english) return renderOverview(width);
  const { sentence, more } = say.overview;
  return paragraphs([[`${programName()} COMMAND [OPTIONS]`], [sentence], renderCommon(width, say), [more]]);
}

function renderCommon(width: number, { overview }: Phrases): string[] {
  const lines: readonly WordRow[] = [
    [`${programName()} check questions.csv`, overview.check],
    [`${programName()} run questions.csv --max-points 5000`, overview.run],
    [`${programName()} run questions.csv --simulate`, overview.rehearse],
  ];
  return [overview.common, ...renderWordList(lines, width)];
}

function rowOf({ name, synopsis, summary }: Command): WordRow {
  // The overview shows arguments only; the command's own help shows its flags.
  return [`${name} ${synopsis.replace(/ ?(\[--|\().*$/, '')}`.trim(), summary];
}

/** The help of one command, wrapped to `width` columns: the options that matter and examples, then all the others. */
export async function renderCommandHelp(command: Command, width: number): Promise<string> {
  const { summary, examples, exitCodes, argument } = command;
  const groups = [...command.groups, programFlags].map(({ title, flags }) => ({
    title,
    rows: Object.entries(flags).map(([long, flag]) => flagRow(long, flag)),
  }));
  const wordWidth = Math.max(...groups.map(({ rows }) => widest(rows)));
  const words = argument === undefined ? [] : [[argumentName(command), meaningOf(argument)] as const];
  const lists = groups.map(({ title, rows }) => [`${title}:`, ...renderWordList(rows, width, wordWidth)]);
  const appendix = await command.appendix?.();
  return paragraphs([
    renderSynopsis(command, width),
    wrapText(`${summary.charAt(0).toUpperCase()}${summary.slice(1)}.`, width),
    ...(words.length === 0 ? [] : [['Arguments:', ...renderWordList(words, width, wordWidth)]]),
    ...lists.slice(0, 1),
    ['Examples:', ...examples.flatMap((example) => renderExample(example, width))],
    ...lists.slice(1),
    ...(appendix === undefined ? [] : [[`${appendix.title}:`, ...renderWordList(appendix.rows, width)]]),
    ['Exit codes:', ...renderWordList(exitCodes, width)],
  ]);
}

/** What to type, broken between words; the later lines are indented. */
function renderSynopsis({ name, synopsis }: Command, width: number): string[] {
  const lines = wrapText(`${programName()} ${name} ${synopsis}`, width - 4);
  return lines.map((line, at) => (at === 0 ? line : `    ${line}`));
}

/** A command line is never wrapped, so that it can be copied. */
function renderExample([line, purpose]: WordRow, width: number): string[] {
  return [`  ${programName()} ${line}`, ...wrapText(purpose, width - 6).map((text) => `      ${text}`)];
}

/** The argument as the synopsis shows it: `FILE`, `DIR`. */
function argumentName({ argument, synopsis }: Command): string {
  if (typeof argument?.value !== 'string') return (argument?.name ?? '').toUpperCase();
  return argument.isList ? (synopsis.split(' (')[0] ?? '') : argument.value;
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
