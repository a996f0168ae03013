/** What one run has observed, and what follows from it: pace, time left, and total price. */

import type { Item } from '../item.ts';
import type { Policy } from '../policy.ts';
import { hasMark } from '../statuses.ts';
import { countRows, expectedPoints, type Ledger, reservedPoints, roundPoints } from '../summary.ts';

/** Tasks that determine the pace: enough for a stable figure, few enough to follow a service that slows down. */
export const paceTasks = 100;

/** A slow task takes longer than this share of them. */
const slowShare = 0.9;

/** What a run has observed so far; kept current by `noteProgress`. */
export interface Progress {
  /** Keys of the items whose task was created in this run and has not ended. */
  readonly watched: Set<number>;
  /** Durations (ms) of the latest tasks created and ended in this run, oldest first. */
  readonly durations: number[];
  /** Tasks of this run that ended with a known price, and the sum of those prices. */
  pricedCount: number;
  pricedPoints: number;
  /** Rows under way that ended in this run, and all that ended badly in it: they are what `--halt` counts. */
  endedCount: number;
  badCount: number;
  /** When the first change came (epoch ms); null before. */
  since: number | null;
  /** Until when slot use is counted (epoch ms). */
  until: number;
  /** Slots in use since then. */
  slots: number;
  /** Total time (ms) that slots were in use. */
  slotMs: number;
}

export function createProgress(): Progress {
  return {
    watched: new Set(),
    durations: [],
    pricedCount: 0,
    pricedPoints: 0,
    endedCount: 0,
    badCount: 0,
    since: null,
    until: 0,
    slots: 0,
    slotMs: 0,
  };
}

/** Records a change that is already in the ledger. `now` is epoch ms. */
export function noteProgress(
  progress: Progress,
  before: Item,
  after: Item,
  seen: { readonly ledger: Readonly<Ledger>; readonly now: number },
): void {
  noteSlots(progress, seen.ledger, seen.now);
  if (hasMark(after.status, 'bad') && !hasMark(before.status, 'bad')) progress.badCount += 1;
  if (isUnderWay(before) && !isUnderWay(after) && after.status !== 'pending') progress.endedCount += 1;
  if (before.status === 'pending' && after.status === 'submitting') progress.watched.add(after.key);
  if (!progress.watched.has(after.key) || after.status === 'submitting' || after.status === 'open') return;
  progress.watched.delete(after.key);
  if (after.taskId !== null && after.submittedAt !== null && after.endedAt !== null)
    noteTask(progress, Math.max(0, after.endedAt - after.submittedAt), after.points);
}

function isUnderWay({ status }: Item): boolean {
  return status === 'submitting' || status === 'open';
}

function noteSlots(progress: Progress, { counts }: Readonly<Ledger>, now: number): void {
  progress.slotMs += progress.since === null ? 0 : progress.slots * Math.max(0, now - progress.until);
  progress.since ??= now;
  progress.until = now;
  progress.slots = counts.submitting + counts.open;
}

function noteTask(progress: Progress, durationMs: number, points: number | null): void {
  progress.durations.push(durationMs);
  if (progress.durations.length > paceTasks) progress.durations.shift();
  if (points === null) return;
  progress.pricedCount += 1;
  progress.pricedPoints += points;
}

/** What ends a run while rows still wait. */
export interface EarlyStop {
  readonly why: 'points-cap' | 'limit' | 'halt';
  /** Rows that will wait then, as far as is known. */
  readonly rows: number;
}

/** A forecast for the rest of the run. */
export interface Forecast {
  /** Mean time of a task (ms); null while no task of this run has ended. */
  readonly taskMs: number | null;
  /** Time until all tasks have ended (ms); null where unknown. */
  readonly leftMs: number | null;
  /** Final points, including those of earlier runs; null where no price is known. */
  readonly totalPoints: number | null;
  /** True while a task of this run is open or still to come: its end will improve the forecast. */
  readonly hasOwnTasks: boolean;
  /** What comes before the end of the rows: the time left is that until then. Null where nothing does. */
  readonly stop: EarlyStop | null;
}

/** The input of a forecast besides `Progress`. */
export interface ForecastFacts {
  readonly ledger: Readonly<Ledger>;
  readonly policy: Policy;
  /** Pending rows that will be submitted, regardless of the budget. */
  readonly toSubmit: number;
  /** When the latest open task was created (epoch ms); null where none is open. */
  readonly latestAt: number | null;
  /** For so long (ms) nothing is submitted: the service asked for a pause, or the user did. */
  readonly pausedMs?: number;
}

/** Waiting rows that this run leaves to a later one: after a pilot, or once it submits nothing more. */
export function rowsForLater({ counts }: Readonly<Ledger>, toSubmit: number): number {
  return Math.max(0, counts.pending - toSubmit);
}

/** The rows that a bar stands for: those that the time and the points of the forecast stand for. */
export function rowsOfRun(ledger: Readonly<Ledger>, toSubmit: number): number {
  return countRows(ledger) - rowsForLater(ledger, toSubmit);
}

/** Forecasts the rest of the run from its course so far. `now` is epoch ms. */
export function forecast(progress: Progress, facts: ForecastFacts, now: number): Forecast {
  const { ledger, policy, toSubmit, latestAt, pausedMs = 0 } = facts;
  const each = priceOf(progress, facts);
  const reserved = reservedPoints(ledger);
  const busy = ledger.counts.submitting + ledger.counts.open;
  const { rows, stop } = rowsToCome({
    waiting: toSubmit,
    allowed: toSubmit,
    reserved,
    points: { cap: policy.maxPoints, spent: ledger.spent, each },
    untilHalt: rowsUntilHalt(progress, policy, busy),
  });
  const hasPrice = reserved !== null && (each !== null || rows === 0);
  const total = hasPrice ? roundPoints(ledger.spent + reserved + rows * (each ?? 0)) : null;
  return {
    taskMs: meanOf(progress.durations),
    leftMs: timeLeft(
      progress.durations,
      { rows, busy, slots: slotsInUse(progress), latestAt, pausedMs },
      now,
    ),
    totalPoints: total === null ? null : roundTotal(total, rows, policy),
    hasOwnTasks: rows + progress.watched.size > 0,
    stop,
  };
}

/** Rounds a total that includes a mean: fractions would be false precision. */
function roundTotal(total: number, rows: number, { maxPoints }: Policy): number {
  return rows === 0 ? total : Math.min(Math.ceil(total), maxPoints ?? Number.POSITIVE_INFINITY);
}

/** Expected points of one row: the mean of this run, else the most that one cost before. Zero charges are ignored. */
function priceOf({ pricedCount, pricedPoints }: Progress, { ledger, policy }: ForecastFacts): number | null {
  return pricedPoints > 0 ? pricedPoints / pricedCount : expectedPoints(ledger, policy.quality);
}

/** What is known of the money. */
export interface KnownPoints {
  /** The cap; null for none. */
  readonly cap: number | null;
  readonly spent: number;
  /** Expected points of one row; null or 0 where unknown. */
  readonly each: number | null;
}

/** How many of the rows the cap leaves points for, besides what is reserved: null where that is unknown. */
export function affordableRows(
  rows: number,
  reserved: number | null,
  { cap, spent, each }: KnownPoints,
): number {
  if (cap === null || reserved === null || each === null || each <= 0) return rows;
  return Math.min(rows, Math.floor(roundPoints(Math.max(0, cap - spent - reserved) / each)));
}

/** Rows that wait, and what lets only some of them go. */
interface Waiting {
  readonly waiting: number;
  /** As many as the limit allows. */
  readonly allowed: number;
  /** Points that tasks under way may still cost; null where unknown. */
  readonly reserved: number | null;
  readonly points: KnownPoints;
  /** Rows after which too many will have ended badly; infinite where that is not to be expected. */
  readonly untilHalt: number;
}

/** How many rows will be submitted, and what then ends the run before its rows do. */
export function rowsToCome({ waiting, allowed, reserved, points, untilHalt }: Waiting): {
  readonly rows: number;
  readonly stop: EarlyStop | null;
} {
  const affordable = affordableRows(allowed, reserved, points);
  const rows = Math.min(affordable, untilHalt);
  if (rows === waiting) return { rows, stop: null };
  const why = rows < affordable ? 'halt' : rows < allowed ? 'points-cap' : 'limit';
  return { rows, stop: { why, rows: waiting - rows } };
}

/** Fewer bad rows are chance. */
const tellingBadRows = 3;

/** If as large a share of the rows continues to end badly, so many more are submitted until `--halt`; infinite where it will not come. */
function rowsUntilHalt(
  { endedCount, badCount }: Progress,
  { haltAfter }: Pick<Policy, 'haltAfter'>,
  busy: number,
): number {
  if (haltAfter === null || badCount < tellingBadRows) return Number.POSITIVE_INFINITY;
  const more = Math.ceil(((haltAfter - badCount) * Math.max(endedCount, badCount)) / badCount);
  return Math.max(0, more - busy);
}

/** What is still to come. */
interface Rest {
  /** Rows that will be submitted. */
  readonly rows: number;
  /** Tasks that are open, or being created. */
  readonly busy: number;
  /** How many tasks have been open at once. */
  readonly slots: number;
  readonly latestAt: number | null;
  readonly pausedMs?: number;
}

/**
 * Estimates the time left (ms); null where unknown. Rows still to be submitted follow each other through the slots
 * actually used, and the last one takes as long as a slow task. Without any, the run waits for the task created last.
 */
export function timeLeft(
  durations: readonly number[],
  { rows, busy, slots, latestAt, pausedMs = 0 }: Rest,
  now: number,
): number | null {
  if (rows + busy === 0) return 0;
  const taskMs = meanOf(durations);
  if (taskMs === null) return null;
  const sorted = [...durations].sort((a, b) => a - b);
  const slowest = sorted.slice(Math.floor(sorted.length * slowShare));
  const slowMs = Math.min(...slowest);
  if (rows > 0) return pausedMs + ((rows - 0.5) * taskMs) / Math.max(1, slots) + slowMs;
  const waitedMs = latestAt === null ? 0 : Math.max(0, now - latestAt);
  return [slowMs, Math.max(...slowest)].map((ms) => ms - waitedMs).find((ms) => ms > 0) ?? null;
}

/** Slots in use: the average over this run, or the current number where that is higher. */
function slotsInUse({ since, until, slots, slotMs }: Progress): number {
  const watchedMs = until - Number(since);
  return Math.max(slots, watchedMs > 0 ? slotMs / watchedMs : 0);
}

function meanOf(numbers: readonly number[]): number | null {
  return numbers.length === 0 ? null : numbers.reduce((sum, number) => sum + number, 0) / numbers.length;
}

/** A summary of the open items. */
export interface Survey {
  /** Those submitted first, oldest first. */
  readonly slowest: readonly Item[];
  /** When the last one was submitted (epoch ms); null where none is open. */
  readonly latestAt: number | null;
}

/** Reads all open items once, for the `count` slowest of them. */
export function surveyOpen(items: Iterable<Item>, count: number): Survey {
  let slowest: Item[] = [];
  let latestAt: number | null = null;
  for (const item of items) {
    const at = submittedAt(item);
    latestAt = latestAt === null ? at : Math.max(latestAt, at);
    // Items come roughly in order of age, so most of them end here.
    if (slowest.length === count && slowest.every((slow) => submittedAt(slow) <= at)) continue;
    slowest = [...slowest, item].sort((a, b) => submittedAt(a) - submittedAt(b)).slice(0, count);
  }
  return { slowest, latestAt };
}

/** An open item always has a submission time. */
function submittedAt(item: Item): number {
  return Number(item.submittedAt);
}
