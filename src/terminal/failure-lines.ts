/** Why rows ended badly, one line per group: how many, the failure, and the command for exactly these rows. */

import { renderNumber } from '../messages/numbers.ts';
import { hasOwnReason } from '../messages/reasons/in-chinese.ts';
import { isUnread } from '../money/answers/unread-answer.ts';
import {
  type FailureGroup,
  type FailureGroups,
  plainFailure,
  wantedFailure,
} from '../money/failure-groups.ts';
import type { Status } from '../money/item.ts';
import { isHeld } from '../money/reused.ts';
import type { FailureLine } from '../schemas/run-state.ts';
import { type RunWords, readingWords, typedCommand } from '../text/run-words.ts';
import { shellOption, shellPath, shellWord } from '../text/shell-word.ts';
import { type Offers, payingOptions } from './offers.ts';
import type { Phrases } from './phrases/phrases.ts';
import { toTerminalText } from './terminal-text.ts';
import { cutText, fitText, textWidth } from './text-width.ts';
import { wrapAfter } from './wrap-lines.ts';

/** Groups shown; the report has the rest. */
const shownGroups = 5;

/** Columns of the longest failure that stands next to its command in full. */
const widestFailure = 60;

/** Columns of the longest failure on a terminal: more is a page, not a reason. */
const longestFailure = 1_000;

/** The groups with their commands. */
export function failureLines(
  failures: FailureGroups,
  words: RunWords,
  offers: Offers | null = null,
): readonly FailureLine[] {
  return failures.groups.map((group) => ({
    status: group.status,
    failure: group.failure === null ? group.kind : plainFailure(group.failure),
    count: group.count,
    inFile: group.inFile,
    command: typedOrNone(commandFor(group, failures, words, offers)),
  }));
}

function typedOrNone(command: string | null): string | null {
  return command === null ? null : typedCommand(command);
}

/** How the lines are printed. */
export interface FailureView {
  readonly areAll: boolean;
  readonly out: string;
  /** Columns of the terminal, or null elsewhere. */
  readonly width: number | null;
  /** Commands that stand in the same ending with all that they do: typed for one of the groups they would do more. */
  readonly proposed?: ReadonlySet<string>;
  /** The rows wait for the videos of others. */
  readonly areHeld?: boolean;
}

/** The lines to print; none where nothing ended badly. */
export function renderFailures(
  lines: readonly FailureLine[],
  { areAll, out, width, proposed = new Set(), areHeld = false }: FailureView,
  say: Phrases,
): readonly string[] {
  if (lines.length === 0) return [];
  const shown = lines.slice(0, shownGroups);
  const counts = Math.max(...shown.map(({ count }) => renderNumber(count).length));
  const nameOf = (status: Status): string => (areHeld ? say.ending.waiting : say.status[status]);
  const statuses = Math.max(...shown.map(({ status }) => textWidth(nameOf(status))));
  const rows = shown.map((line) => ({
    start: `  ${renderNumber(line.count).padStart(counts)} ${fitText(nameOf(line.status), statuses)}  `,
    command:
      line.command === null ? say.ending.noLongerInFile : proposed.has(line.command) ? '' : line.command,
    said: renderFailure(line, width === null && !areHeld ? widestFailure : longestFailure, say),
  }));
  return [
    areHeld ? say.ending.whyWaiting : say.ending.whyBadly,
    ...renderTable(rows, width),
    ...renderRest(lines.slice(shownGroups), areAll, out, say),
  ];
}

interface FailureRow {
  /** Count and status. */
  readonly start: string;
  readonly said: string;
  /** '' for none. */
  readonly command: string;
}

/** One line for each row in columns; where one of them is too long for the terminal, its command stands below it. */
function renderTable(rows: readonly FailureRow[], width: number | null): readonly string[] {
  const widest = Math.max(...rows.map(({ said }) => textWidth(said)));
  const lines = rows.map(({ start, said, command }) =>
    `${start}${fitText(said, widest)}   ${command}`.trimEnd(),
  );
  if (width === null || lines.every((line) => textWidth(line) <= width)) return lines;
  return rows.flatMap(({ start, said, command }) => {
    const indent = textWidth(start);
    const [first = '', ...rest] = wrapAfter(said, width, indent);
    return [start + first, ...rest, ...(command === '' ? [] : [' '.repeat(indent) + command])];
  });
}

function renderFailure(
  { status, failure, count, inFile }: FailureLine,
  columns: number,
  say: Phrases,
): string {
  const text = sayFailure(status, failure, say);
  const said = text === '' ? say.ending.noReason : say.quoted(cutText(text, columns));
  return inFile > 0 && inFile < count ? say.ending.stillInFile(said, inFile) : said;
}

/** Why a row ended badly, in the language of the user where the words are this program's own. */
export function sayFailure(status: Status, failure: string, say: Phrases): string {
  return toTerminalText(hasOwnReason(status) ? say.render(failure) : failure);
}

function renderRest(
  rest: readonly FailureLine[],
  areAll: boolean,
  out: string,
  { ending: say }: Phrases,
): readonly string[] {
  if (rest.length === 0) return [];
  const count = rest.reduce((sum, line) => sum + line.count, 0);
  return [`  ${say.moreKinds(rest.length, areAll ? count : null, reportPath(out, 'report.csv'))}`];
}

function commandFor(
  group: FailureGroup,
  failures: FailureGroups,
  words: RunWords,
  offers: Offers | null,
): string | null {
  const { run } = words;
  switch (group.status) {
    case 'failed':
    case 'rejected': {
      if (group.inFile === 0) return null;
      const wanted = wantedFailure(group, failures);
      const some = wanted === null ? '' : ` ${shellOption('failure', wanted)}`;
      return `batch retry ${run} --${group.status}${some}${payingOptions(offers, offers?.[group.status] ?? null, true)}`;
    }
    case 'uncertain':
      return `batch ${group.count > 1 ? listWords(run) : resolveWords(run, group.someId)}`;
    // What is free comes first: a lost task may still exist.
    case 'lost':
      return isUnread(group.kind) ? `batch ${linksWords(run, group.someId)}` : `batch collect ${run}`;
    case 'undelivered':
      return `batch collect ${run}`;
    default:
      return isHeld({ ...group, failure: group.kind })
        ? `batch resume ${run}`
        : `batch ${readingWords(offers?.input, words)}`;
  }
}

/** The arguments that settle an uncertain row whose task was found. `run` names the run in shell words. */
export function resolveWords(run: string, id: string): string {
  return settleWords(run, id, '--task-id T');
}

/** The same with what was found; an id that looks like an option comes after all options. */
export function settleWords(run: string, id: string, found: string): string {
  return id.startsWith('-')
    ? `resolve ${run} ${found} -- ${shellWord(id)}`
    : `resolve ${run} ${shellWord(id)} ${found}`;
}

/** The arguments that show what the service answers about the task of a row. */
export function linksWords(run: string, id: string): string {
  return `links ${run} ${shellOption('only', id)}`;
}

/** The arguments that list all uncertain rows in a file, to be filled in and given back with `--from`. */
export function listWords(run: string): string {
  return `resolve ${run} --list --to uncertain.csv`;
}

/** A file at the top of the output folder, under the user's name for the folder. */
export function pathIn(out: string, name: string): string {
  return `${out.replace(/\/+$/, '')}/${name}`;
}

/** A report as one word of a command or sentence. */
export function reportPath(out: string, name: string): string {
  return shellPath(pathIn(out, name));
}
