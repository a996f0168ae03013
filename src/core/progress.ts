/** What one run has seen with its own eyes, and what follows from it: pace, time left, the price of it all. */

import type { Item } from './item.ts';
import type { Policy } from './policy.ts';
import { guessedPoints, type Ledger, reservedPoints, roundPoints } from './summary.ts';

/** Tasks that the pace is taken from: enough to be calm, few enough to follow a service that becomes slower. */
const paceTasks = 100;

/** A slow task is one that takes longer than this share of them. */
const slowShare = 0.9;

/** What a run has seen so far; kept current by `noteProgress`. */
export interface Progress {
  /** Keys of the items whose task was created in this run and has not ended. */
  readonly watched: Set<number>;
  /** From creation to end (ms) of the latest tasks that did both in this run, oldest first. */
  readonly durations: number[];
  /** Tasks of this run that ended with a known price, and the sum of it. */
  pricedCount: number;
  pricedPoints: number;
  /** When the first change came (epoch ms); null before. */
  since: number | null;
  /** Until when slots are counted (epoch ms). */
  until: number;
  /** Slots in use since then. */
  slots: number;
  /** Sum of the times (ms) that slots were in use. */
  slotMs: number;
}

/** A run that has seen nothing. */
export function createProgress(): Progress {
  return {
    watched: new Set(),
    durations: [],
    pricedCount: 0,
    pricedPoints: 0,
    since: null,
    until: 0,
    slots: 0,
    slotMs: 0,
  };
}

/** Takes note of a change that is in the ledger already. `now` is epoch ms. */
export function noteProgress(
  progress: Progress,
  before: Item,
  after: Item,
  seen: { readonly ledger: Readonly<Ledger>; readonly now: number },
): void {
  noteSlots(progress, seen.ledger, seen.now);
  if (before.status === 'pending' && after.status === 'submitting') progress.watched.add(after.key);
  if (!progress.watched.has(after.key) || after.status === 'submitting' || after.status === 'open') return;
  progress.watched.delete(after.key);
  if (after.taskId !== null && after.submittedAt !== null && after.endedAt !== null)
    noteTask(progress, Math.max(0, after.endedAt - after.submittedAt), after.points);
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

/** What can be said about the rest of a run. */
export interface Forecast {
  /** Mean time of a task (ms); null while no task of this run has ended. */
  readonly taskMs: number | null;
  /** Time until all tasks have ended (ms); null where nothing tells. */
  readonly leftMs: number | null;
  /** Points in the end, those of all runs before included; null where no price is known. */
  readonly totalPoints: number | null;
  /** True while a task of this run is open or to come: its end will tell more. */
  readonly hasOwnTasks: boolean;
}

/** What a forecast is made from, besides what was seen. */
export interface ForecastFacts {
  readonly ledger: Readonly<Ledger>;
  readonly policy: Policy;
  /** Pending rows that are going to be submitted, the budget aside. */
  readonly toSubmit: number;
  /** When the task that was created last was created (epoch ms); null where none is open. */
  readonly latestAt: number | null;
}

/** The rest of the run, if it goes on as it went. `now` is epoch ms. */
export function forecast(progress: Progress, facts: ForecastFacts, now: number): Forecast {
  const { ledger, policy, toSubmit } = facts;
  const price = priceOf(progress, facts);
  const reserved = reservedPoints(ledger);
  const rows = affordableRows(toSubmit, price, reserved, facts);
  const hasPrice = reserved !== null && (price !== null || rows === 0);
  const total = hasPrice ? roundPoints(ledger.spent + reserved + rows * (price ?? 0)) : null;
  return {
    taskMs: meanOf(progress.durations),
    leftMs: decideLeft(progress, rows, facts, now),
    totalPoints: total === null ? null : roundTotal(total, rows, policy),
    hasOwnTasks: rows + progress.watched.size > 0,
  };
}

/** A sum with a mean in it promises no fractions. */
function roundTotal(total: number, rows: number, { maxPoints }: Policy): number {
  return rows === 0 ? total : Math.min(Math.ceil(total), maxPoints ?? Number.POSITIVE_INFINITY);
}

/** Points of one row to come: the mean of this run, else the most that one cost before. Nothing charged says nothing. */
function priceOf({ pricedCount, pricedPoints }: Progress, { ledger, policy }: ForecastFacts): number | null {
  return pricedPoints > 0 ? pricedPoints / pricedCount : guessedPoints(ledger, policy.quality);
}

function affordableRows(
  toSubmit: number,
  price: number | null,
  reserved: number | null,
  { ledger, policy }: ForecastFacts,
): number {
  if (policy.maxPoints === null || price === null || reserved === null) return toSubmit;
  const room = Math.max(0, policy.maxPoints - ledger.spent - reserved);
  return Math.min(toSubmit, Math.floor(room / price));
}

/**
 * Rows still to be submitted follow each other through the slots that are really used; the last one then takes as long as
 * a slow task. Without any, the task that was created last is waited for.
 */
function decideLeft(progress: Progress, rows: number, facts: ForecastFacts, now: number): number | null {
  const { counts } = facts.ledger;
  if (rows + counts.submitting + counts.open === 0) return 0;
  const taskMs = meanOf(progress.durations);
  if (taskMs === null) return null;
  const sorted = [...progress.durations].sort((a, b) => a - b);
  const slowest = sorted.slice(Math.floor(sorted.length * slowShare));
  const slowMs = Math.min(...slowest);
  if (rows > 0) return ((rows - 0.5) * taskMs) / slotsInUse(progress) + slowMs;
  const waitedMs = facts.latestAt === null ? 0 : Math.max(0, now - facts.latestAt);
  return [slowMs, Math.max(...slowest)].map((ms) => ms - waitedMs).find((ms) => ms > 0) ?? null;
}

/** Slots in use, on average over this run or now where that is more; at least one. */
function slotsInUse({ since, until, slots, slotMs }: Progress): number {
  const watchedMs = until - Number(since);
  return Math.max(1, slots, watchedMs > 0 ? slotMs / watchedMs : 0);
}

function meanOf(numbers: readonly number[]): number | null {
  return numbers.length === 0 ? null : numbers.reduce((sum, number) => sum + number, 0) / numbers.length;
}

/** The open items in short. */
export interface Survey {
  /** Those that were submitted first, oldest first. */
  readonly slowest: readonly Item[];
  /** When the one that was submitted last was submitted (epoch ms); null where none is open. */
  readonly latestAt: number | null;
}

/** One look at all open items, for the `count` slowest of them. */
export function surveyOpen(items: Iterable<Item>, count: number): Survey {
  let slowest: Item[] = [];
  let latestAt: number | null = null;
  for (const item of items) {
    const at = submittedAt(item);
    latestAt = latestAt === null ? at : Math.max(latestAt, at);
    // Items come about in the order of their age: most of them end here.
    if (slowest.length === count && slowest.every((slow) => submittedAt(slow) <= at)) continue;
    slowest = [...slowest, item].sort((a, b) => submittedAt(a) - submittedAt(b)).slice(0, count);
  }
  return { slowest, latestAt };
}

/** An open item always has been submitted. */
function submittedAt(item: Item): number {
  return Number(item.submittedAt);
}
