/** Counts, points and durations of a run, and what follows from them. */

import { type Item, type Quality, type Status, serviceDefaultQuality, statuses } from './item.ts';

/** One sentence per status, for people. */
export const statusMeaning: Readonly<Record<Status, string>> = {
  pending: 'not sent',
  submitting: 'the creation is on its way and unanswered',
  open: 'has a task at the service; being made',
  downloading: 'the service completed it; not all files are here',
  completed: 'all files are on disk, whole',
  failed: 'the service says FAILED',
  rejected: 'creation was refused; there is no task',
  uncertain: 'the creation was sent and its outcome is not known',
  undelivered: 'completed and charged, but the video could not be fetched',
  lost: 'the service no longer knows the task, or waiting took too long',
  invalid: 'the row cannot be sent',
};

/** Statuses of rows that ended badly: they stand in `failed.csv`. */
export const badStatuses: ReadonlySet<Status> = new Set<Status>([
  'failed',
  'rejected',
  'uncertain',
  'undelivered',
  'lost',
  'invalid',
]);

/** Statuses in which the service may be working for the item and points are reserved. */
export const reservingStatuses: ReadonlySet<Status> = new Set<Status>(['submitting', 'open', 'uncertain']);

/** What the checkpoint knows in numbers; kept current by `applyChange`, loaded from the database at a start. */
export interface Ledger {
  /** Items per status; every status is a key. */
  readonly counts: Record<Status, number>;
  /** Points charged for all known tasks, every attempt. */
  spent: number;
  /** Largest points of one attempt seen so far, by the quality that was asked for. */
  readonly largestPoints: Map<Quality, number>;
  /** Items in a reserving status, by quality. */
  readonly reserving: Map<Quality, number>;
  /** Longest time from submission to end of a task so far; null while none has ended. */
  longestTaskMs: number | null;
}

/** A ledger of nothing. */
export function createLedger(): Ledger {
  const counts = Object.fromEntries(statuses.map((status) => [status, 0])) as Record<Status, number>;
  return { counts, spent: 0, largestPoints: new Map(), reserving: new Map(), longestTaskMs: null };
}

/** The quality the service works at for this item. */
export function effectiveQuality(quality: Quality | null): Quality {
  return quality ?? serviceDefaultQuality;
}

/** Brings the ledger from `before` to `after`, two states of one item. */
export function applyChange(ledger: Ledger, before: Item, after: Item): void {
  ledger.counts[before.status] -= 1;
  ledger.counts[after.status] += 1;
  reserve(ledger, before, -1);
  reserve(ledger, after, 1);
  const samePoints = before.attempt === after.attempt && before.token === after.token;
  const points = after.points ?? 0;
  const gained = points - (samePoints ? (before.points ?? 0) : 0);
  ledger.spent += gained;
  if (gained !== 0) noteLargest(ledger, effectiveQuality(after.quality), points);
  const ended = after.endedAt !== null && before.endedAt === null;
  if (ended && after.taskId !== null && after.submittedAt !== null && after.endedAt !== null) {
    ledger.longestTaskMs = Math.max(ledger.longestTaskMs ?? 0, after.endedAt - after.submittedAt);
  }
}

function reserve(ledger: Ledger, item: Item, by: 1 | -1): void {
  if (!reservingStatuses.has(item.status)) return;
  const quality = effectiveQuality(item.quality);
  ledger.reserving.set(quality, (ledger.reserving.get(quality) ?? 0) + by);
}

/** Remembers the largest points seen for a quality. Nothing charged says nothing about the price. */
export function noteLargest(ledger: Ledger, quality: Quality, points: number): void {
  if (points > (ledger.largestPoints.get(quality) ?? 0)) ledger.largestPoints.set(quality, points);
}

/** Points one more row of this quality is expected to cost; null while nothing is known. */
export function expectedPoints(ledger: Ledger, quality: Quality | null): number | null {
  const own = ledger.largestPoints.get(effectiveQuality(quality));
  if (own !== undefined) return own;
  return ledger.largestPoints.size === 0 ? null : Math.max(...ledger.largestPoints.values());
}

/** Points reserved by open and uncertain tasks; null where there are some and no price is known. */
export function reservedPoints(ledger: Ledger): number | null {
  let reserved = 0;
  for (const [quality, count] of ledger.reserving) {
    if (count === 0) continue;
    const each = expectedPoints(ledger, quality);
    if (each === null) return null;
    reserved += count * each;
  }
  return roundPoints(reserved);
}

/** Takes the dust of binary fractions off a sum of points. */
export function roundPoints(points: number): number {
  return Math.round(points * 1e6) / 1e6;
}

/** All items of a ledger. */
export function countRows(ledger: Ledger): number {
  return statuses.reduce((sum, status) => sum + ledger.counts[status], 0);
}

/** How a run came to its end. */
export type EndingReason =
  | 'done'
  | 'interrupted'
  | 'terminated'
  | 'key-refused'
  | 'collected'
  | 'limit'
  | 'points-cap'
  | 'halt'
  | 'uncertain-breaker'
  | 'refusal-breaker'
  | 'unreachable'
  | 'misconfigured'
  | 'disk';

/** The exit code that tells the truth about a run (highest of 5, 4, 1 that applies). */
export function decideExitCode(counts: Readonly<Record<Status, number>>, reason: EndingReason): number {
  if (reason === 'interrupted') return 130;
  if (reason === 'terminated') return 143;
  if (reason === 'key-refused') return 3;
  // A creation that is still unanswered when the run has ended is found uncertain at the next start.
  if (counts.uncertain + counts.submitting > 0) return 5;
  if (counts.pending + counts.open + counts.downloading > 0 || reason === 'disk') return 4;
  if (counts.failed + counts.rejected + counts.undelivered + counts.lost + counts.invalid > 0) return 1;
  return 0;
}
