/** Orders a new, paid attempt for rows that ended badly, and continues the run. */

import { systemClock } from '../adapters/system-clock.ts';
import { moveAtRest } from '../core/at-rest.ts';
import { noRows, type QualityCounts } from '../core/estimate.ts';
import { isWantedFailure } from '../core/failure-groups.ts';
import type { Item, Status } from '../core/item.ts';
import type { Ledger } from '../core/summary.ts';
import type { Checkpoint } from '../store.ts';
import { chooseNamed, type NamedChoice } from './choose-named.ts';
import { type AskPlace, mayPayHere } from './moved-folder.ts';
import type { NamedRow } from './only-file.ts';
import { openExistingRun } from './open-run.ts';
import type { Options } from './options.ts';
import { optionsOfRun } from './output-folder.ts';
import { type PlannedCorrections, planCorrections, saveCorrections } from './plan-corrections.ts';
import { beginRound } from './round.ts';
import type { RunSetup } from './run-session.ts';
import type { Invocation } from './settings.ts';
import { type OpenedRun, saveTerms } from './start-run.ts';
import { readSteering } from './steering.ts';

/** Rows ordered in one transaction. */
const pageRows = 500;

/** Which rows get a new attempt. */
export interface RetryChoice {
  readonly statuses: readonly Status[];
  /** Part of the failure, or the whole failure in double quotes; null for any. */
  readonly failure: string | null;
  /** Also rows that left the file. */
  readonly withGone: boolean;
}

/** Counts of rows with another text in the file now. */
export interface RowEdits {
  /** They are sent with the new text. */
  readonly changed: number;
  /** The new text cannot be sent: they are skipped, because the old text is no longer wanted. */
  readonly unsendable: number;
}

/** A retry before it is ordered. */
export interface RetryPlan {
  /** The rows that get a new attempt, with their current quality in the file; each call reads them again. */
  readonly rows: () => AsyncIterable<Item>;
  /** How many rows these are. */
  readonly attempts: QualityCounts;
  /** Pending rows that are submitted with them. */
  readonly waiting: QualityCounts;
  /** What happens to the named rows; null when none are named. */
  readonly named: NamedChoice | null;
  /** Named rows that already have their video: they are paid for again. */
  readonly completed: readonly Item[];
  readonly edits: RowEdits;
  readonly corrections: PlannedCorrections;
  readonly ledger: Ledger;
  /** Saved options included. */
  readonly options: Options;
}

/** A retry, with the caller's decisions. */
export interface Retry<T> {
  readonly invocation: Invocation;
  readonly choice: RetryChoice;
  /** Receives the plan; nothing is ordered or sent when it returns false. */
  agree(opened: OpenedRun, plan: RetryPlan): Promise<boolean>;
  /** Asked when the folder or the database was copied or moved. */
  readonly askPlace: (options: Options) => AskPlace;
  session(setup: RunSetup): Promise<T>;
}

/** Orders the attempts and continues the run of the output folder. Null when the caller declined. */
export async function retryRows<T>(retry: Retry<T>): Promise<T | null> {
  const { choice, agree, askPlace, session } = retry;
  await using opened = await openExistingRun(retry.invocation, true);
  const { store, invocation } = opened;
  const { number: steered } = await readSteering(store);
  const saved = await optionsOfRun(invocation, store);
  if (!(await mayPayHere(store, invocation, saved, askPlace(saved)))) return null;
  const plan = await planRetry({ store, options: saved }, invocation.named, choice);
  const { options } = plan;
  if (!(await agree({ store, options }, plan))) return null;
  await saveTerms(store, invocation, true);
  await saveCorrections(store.reviews, plan.corrections);
  await renewRequests(store.checkpoint, plan);
  await orderAttempts(store.checkpoint, plan.rows());
  await beginRound(store, options);
  return await session({ submits: true, invocation, options, store, steered });
}

/** Plans a retry. `named` are the rows that `--only` names. */
export async function planRetry(
  { store, options: saved }: OpenedRun,
  named: readonly NamedRow[] | null,
  choice: RetryChoice,
): Promise<RetryPlan> {
  const { checkpoint } = store;
  const isMeant = (item: Item): boolean =>
    (choice.statuses.length === 0 || choice.statuses.includes(item.status)) &&
    isOfFailure(item, choice.failure);
  const byName = named === null ? null : await chooseNamed(checkpoint, named, isMeant, scopeOf(choice));
  // With `--only` the user pays for the named rows alone; other pending rows are for `resume`.
  const only = byName === null ? null : [...byName.chosen.map(({ id }) => id), ...byName.underWay];
  const meant = (): AsyncIterable<Item> | readonly Item[] =>
    byName?.chosen ?? rowsOfChoice(checkpoint, choice);
  const rows = (): AsyncIterable<Item> => sendable(checkpoint, meant());
  const attempts = await countItems(rows());
  const edits = await countEdits(checkpoint, meant());
  const corrections = await planCorrections(store, inOrder(rows(), byName?.corrected ?? []), named);
  const waiting = await store.totals.pendingQualities(only);
  const ledger = await checkpoint.ledger();
  const completed: Item[] = [];
  if (byName !== null) for await (const item of rows()) if (item.status === 'completed') completed.push(item);
  const options = { ...saved, ...(only === null ? {} : { only }) };
  return { rows, attempts, waiting, named: byName, completed, edits, corrections, ledger, options };
}

/** Rows that left the file are unwanted, unless the user includes them. */
function scopeOf({ withGone }: RetryChoice): 'all' | 'inFile' {
  return withGone ? 'all' : 'inFile';
}

async function* rowsOfChoice(checkpoint: Checkpoint, choice: RetryChoice): AsyncGenerator<Item> {
  for await (const item of checkpoint.items(choice.statuses, scopeOf(choice))) {
    if (isOfFailure(item, choice.failure)) yield item;
  }
}

function isOfFailure({ id, taskId, failure }: Item, wanted: string | null): boolean {
  return wanted === null || isWantedFailure(failure ?? '', [taskId ?? '', id], wanted);
}

async function countItems(items: AsyncIterable<Item>): Promise<QualityCounts> {
  const counts = { ...noRows };
  for await (const { quality } of items) counts[quality ?? 'none'] += 1;
  return counts;
}

async function countEdits(
  checkpoint: Checkpoint,
  items: AsyncIterable<Item> | Iterable<Item>,
): Promise<RowEdits> {
  const edits = { changed: 0, unsendable: 0 };
  for await (const { key } of items) {
    const edit = await checkpoint.editOf(key);
    if (edit !== null) edits[edit.failure === null ? 'changed' : 'unsendable'] += 1;
  }
  return edits;
}

/** The rows that can be sent with their current text, with their current quality. */
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

async function* inOrder(first: AsyncIterable<Item>, then: readonly Item[]): AsyncGenerator<Item> {
  yield* first;
  yield* then;
}

/** Rows that wait with another text now: what was decided about them before, and not saved yet, is refused. */
async function renewRequests(
  checkpoint: Checkpoint,
  { named, corrections }: Pick<RetryPlan, 'named' | 'corrections'>,
): Promise<void> {
  const renewed = (named?.corrected ?? []).filter(({ key }) => corrections.changes.has(key));
  const event = { type: 'question-changed', at: systemClock.now(), failure: null } as const;
  await checkpoint.commit(renewed.map((before) => ({ before, after: moveAtRest(before, event) })));
}

async function orderAttempts(checkpoint: Checkpoint, items: AsyncIterable<Item>): Promise<void> {
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
