/** `batch retry`: a new, paid attempt for rows that ended badly, then goes on as `resume`. */

import { systemClock } from '../adapters/system-clock.ts';
import { mayPayHere } from '../app/moved-folder.ts';
import type { Options, RawOptions } from '../app/options.ts';
import { openExistingFolder, optionsOfRun } from '../app/output-folder.ts';
import { type Invocation, readInvocation } from '../app/settings.ts';
import { type OpenedRun, saveTerms } from '../app/start-run.ts';
import { moveAtRest } from '../core/at-rest.ts';
import { addQualities, countQualities, noRows, type QualityCounts } from '../core/estimate.ts';
import { isWantedFailure, plainFailure } from '../core/failure-groups.ts';
import type { Item, Status } from '../core/item.ts';
import { shellPath } from '../core/text/shell-word.ts';
import { UsageError } from '../errors.ts';
import type { Checkpoint } from '../store.ts';
import type { EstimateText } from '../terminal/estimate-text.ts';
import { renderNames, renderPoints, renderRows } from '../terminal/numbers.ts';
import { toTerminalText } from '../terminal/terminal-text.ts';
import { chooseNamed, nothingLeft, renderLeftOut, renderPassedOver } from './choose-named.ts';
import type { Handle } from './command.ts';
import { askPlace, isConfirmed, submissionLines } from './confirm.ts';
import { printNotice } from './console.ts';
import { tryOut } from './dry-run.ts';
import { givenOptions, payOnGroups } from './flags.ts';
import { runInTerminal } from './run-in-terminal.ts';
import { estimateOf } from './run-plan.ts';

/** Rows that are ordered in one transaction. */
const pageRows = 500;

/** Which rows are to get a new attempt. */
export interface Choice {
  readonly statuses: readonly Status[];
  /** A part of the failure, or the whole of it in double quotes; null for any. */
  readonly failure: string | null;
  /** Rows that have left the file, too. */
  readonly withGone: boolean;
}

/** A retry before it is ordered: which rows, and what is said of them. */
interface Order {
  /** The rows that are to get a new attempt; anew at each call. */
  readonly rows: () => AsyncIterable<Item>;
  readonly count: number;
  readonly text: EstimateText;
  /** Rows that have their video, and are paid for all the same. */
  readonly completed: readonly Item[];
  /** Said even where only warnings are wanted. */
  readonly warnings: readonly string[];
  readonly notices: readonly string[];
  readonly options: Options;
}

/** Orders the attempts and goes on. Returns the exit code. */
export async function retry(dir: string, choice: Choice, flags: RawOptions): Promise<number> {
  const invocation = readInvocation(flags, { out: dir });
  checkChoice(choice, invocation.named !== null);
  if (invocation.options['dry-run']) return tryRetrying(invocation, choice);
  await using store = await openExistingFolder(invocation.out);
  const saved = await optionsOfRun(invocation, store);
  if (!(await mayPayHere(store, invocation, saved, askPlace(saved)))) return 2;
  const { options, ...order } = await planRetry({ store, options: saved }, invocation, choice);
  for (const line of order.warnings) printNotice(toTerminalText(line));
  if (!options.quiet)
    for (const line of [...order.notices, ...submissionLines(order.text)]) printNotice(line);
  if (!(await isConfirmed(order.text, options, order.completed.length > 0))) return 2;
  await saveTerms(store, invocation, true);
  await orderAttempts(store.checkpoint, order.rows());
  return await runInTerminal({ submits: true, invocation, options, store });
}

function tryRetrying(invocation: Invocation, choice: Choice): Promise<number> {
  // Which rows are named is looked at with what is to be retried.
  const { only: _, ...options } = invocation.options;
  return tryOut({ ...invocation, options }, async (opened) => {
    const { text, warnings, notices, count, completed } = await planRetry(opened, invocation, choice);
    const facts = { newAttempts: count, paidAgain: completed.map(({ id }) => id) };
    return { text, lines: [...warnings.map((line) => toTerminalText(line)), ...notices], facts };
  });
}

/** Throws `UsageError` where nothing is left to retry. */
async function planRetry(
  { store, options: saved }: OpenedRun,
  { named, outShown }: Invocation,
  choice: Choice,
): Promise<Order> {
  const { checkpoint } = store;
  const isMeant = (item: Item): boolean =>
    (choice.statuses.length === 0 || choice.statuses.includes(item.status)) &&
    isOfFailure(item, choice.failure);
  const byName = named === null ? null : await chooseNamed(checkpoint, named, isMeant, scopeOf(choice));
  // Who names rows pays for these: what waits besides is for `resume`.
  const only = byName === null ? null : [...byName.chosen.map(({ id }) => id), ...byName.underWay];
  const options = { ...saved, ...(only === null ? {} : { only }) };
  const meant = (): AsyncIterable<Item> | readonly Item[] =>
    byName?.chosen ?? rowsOfChoice(checkpoint, choice);
  const rows = (): AsyncIterable<Item> => sendable(checkpoint, meant());
  const attempts = await countItems(rows());
  const edits = await countEdits(checkpoint, meant());
  const count = countQualities(attempts);
  const isGoingOn = byName !== null && byName.underWay.length > 0;
  if (count === 0 && choice.failure !== null && !isGoingOn)
    throw nothingMatches(choice.statuses, choice.failure);
  if (count === 0 && byName !== null && !isGoingOn) throw nothingLeft(byName);
  const waiting = await store.totals.pendingQualities(only);
  const ledger = await checkpoint.ledger();
  const command = `batch resume ${shellPath(outShown)}`;
  const text = await estimateOf({ counts: addQualities(attempts, waiting), ledger, store, options, command });
  const completed: Item[] = [];
  if (byName !== null) for await (const item of rows()) if (item.status === 'completed') completed.push(item);
  const leftOut = byName === null ? null : renderLeftOut(byName);
  const besides = renderBesides(only === null, countQualities(waiting), ledger.counts.pending);
  return {
    rows,
    count,
    text,
    completed,
    options,
    warnings: [leftOut, renderPaidAgain(completed)]
      .filter((line) => line !== null)
      .map((line) => `warning: ${line}`),
    notices: [
      ...(byName === null ? [] : renderPassedOver(byName)),
      `${renderRows(count)} to get a new attempt`,
      ...renderEdits(edits),
      ...(besides === null ? [] : [besides]),
    ],
  };
}

/** Of rows that have what they were paid for; null where there are none. */
function renderPaidAgain(completed: readonly Item[]): string | null {
  if (completed.length === 0) return null;
  const isOne = completed.length === 1;
  const points = completed.reduce((sum, item) => sum + (item.points ?? 0), 0);
  const paid = points === 0 ? '' : `, ${renderPoints(points)} so far`;
  const have = isOne ? 'has its video and is' : 'have their videos and are';
  return `${renderRows(completed.length)} ${have} paid for again: ${renderNames(completed.map(({ id }) => id))}${paid}`;
}

/** What becomes of rows that wait already; null where none does. */
function renderBesides(isAll: boolean, submitted: number, pending: number): string | null {
  if (isAll)
    return submitted === 0
      ? null
      : `${renderRows(submitted)} that are waiting are submitted too; --limit N restricts that`;
  const left = pending - submitted;
  return left <= 0
    ? null
    : `${renderRows(left)} that are waiting are not submitted now; use \`batch resume\``;
}

/** Throws where it is not said which rows, or where a text is none. */
function checkChoice({ statuses, failure }: Choice, isByName: boolean): void {
  if (failure?.trim() === '')
    throw new UsageError('--failure is empty; use a part of the text in report.csv');
  if (statuses.length > 0 || isByName) return;
  throw new UsageError(
    failure === null
      ? 'choose rows with --failed, --rejected, --lost, or --only ID,ID'
      : '--failure narrows a choice of rows down: add --failed, --rejected or --lost',
  );
}

/** What has left the file is not wanted any more, unless it is asked for. */
function scopeOf({ withGone }: Choice): 'all' | 'inFile' {
  return withGone ? 'all' : 'inFile';
}

async function* rowsOfChoice(checkpoint: Checkpoint, choice: Choice): AsyncGenerator<Item> {
  for await (const item of checkpoint.items(choice.statuses, scopeOf(choice))) {
    if (isOfFailure(item, choice.failure)) yield item;
  }
}

function isOfFailure({ id, taskId, failure }: Item, wanted: string | null): boolean {
  return wanted === null || isWantedFailure(failure ?? '', [taskId ?? '', id], wanted);
}

function nothingMatches(statuses: readonly Status[], failure: string): UsageError {
  const which = statuses.length === 0 ? 'chosen' : statuses.join(' or ');
  return new UsageError(
    `--failure: no ${which} row of the file has the failure ${JSON.stringify(plainFailure(failure))}; \`batch status\` lists the failures`,
  );
}

async function countItems(items: AsyncIterable<Item> | Iterable<Item>): Promise<QualityCounts> {
  const counts = { ...noRows };
  for await (const { quality } of items) counts[quality ?? 'none'] += 1;
  return counts;
}

/** Rows whose text is another one in the file now. */
interface Edits {
  /** They are sent with it. */
  changed: number;
  /** It cannot be sent: they are left alone, for nobody wants their old text again. */
  unsendable: number;
}

async function countEdits(
  checkpoint: Checkpoint,
  items: AsyncIterable<Item> | Iterable<Item>,
): Promise<Edits> {
  const edits = { changed: 0, unsendable: 0 };
  for await (const { key } of items) {
    const edit = await checkpoint.editOf(key);
    if (edit !== null) edits[edit.failure === null ? 'changed' : 'unsendable'] += 1;
  }
  return edits;
}

/** The rows that can be sent as they stand in the file now, with the quality they have there. */
async function* sendable(
  checkpoint: Checkpoint,
  items: AsyncIterable<Item> | Iterable<Item>,
): AsyncGenerator<Item> {
  for await (const item of items) {
    const edit = await checkpoint.editOf(item.key);
    if (edit === null) yield item;
    else if (edit.failure === null) yield { ...item, quality: edit.quality };
  }
}

function renderEdits({ changed, unsendable }: Edits): readonly string[] {
  return [
    ...(changed > 0
      ? [`${renderRows(changed)} of them changed in the file since: sent with the new text`]
      : []),
    ...(unsendable > 0
      ? [
          `warning: ${renderRows(unsendable)} skipped that cannot be sent as they are in the file; correct them and run the file again`,
        ]
      : []),
  ];
}

async function orderAttempts(
  checkpoint: Checkpoint,
  items: AsyncIterable<Item> | Iterable<Item>,
): Promise<void> {
  let page: Item[] = [];
  const order = async (): Promise<void> => {
    const at = systemClock.now();
    await checkpoint.takeBack(page.map(({ key }) => key));
    await checkpoint.commit(
      page.map((before) => ({ before, after: moveAtRest(before, { type: 'retry-ordered', at }) })),
    );
    page = [];
  };
  for await (const item of items) {
    page.push(item);
    if (page.length >= pageRows) await order();
  }
  await order();
}

export const handle: Handle = async (argv) => {
  const statuses = (['failed', 'rejected', 'lost'] as const).filter((status) => argv[status] === true);
  const { failure = null, gone } = argv;
  if (failure !== null && typeof failure !== 'string')
    throw new UsageError('--failure was given more than once; give it once');
  const flags = givenOptions(argv, payOnGroups);
  process.exitCode = await retry(String(argv.dir), { statuses, failure, withGone: gone === true }, flags);
};
