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

/** Statuses whose task may be charged, whatever is known of it. A lost task may have been made and paid all the same. */
export const reservingStatuses: ReadonlySet<Status> = new Set<Status>([
  'submitting',
  'open',
  'uncertain',
  'lost',
]);

/** True while the current attempt of the item may cost points that are not known. */
function isReserving({ status, taskId, points }: Item): boolean {
  return reservingStatuses.has(status) || isUnpriced({ status, taskId, points });
}

/** True for a row whose video was made and may have cost more than is known: the points are not said, or not yet. */
export function mayBePricedLate({ status, points }: Pick<Item, 'status' | 'points'>): boolean {
  return (status === 'downloading' || status === 'completed') && (points ?? 0) === 0;
}

/** True for a task that has ended without points that can be read: it may have cost what one of its quality costs. */
function isUnpriced({ status, taskId, points }: Pick<Item, 'status' | 'taskId' | 'points'>): boolean {
  return taskId !== null && points === null && !reservingStatuses.has(status);
}

/** What the checkpoint knows in numbers; kept current by `applyChange`, loaded from the database at a start. */
export interface Ledger {
  /** Items per status; every status is a key. */
  readonly counts: Record<Status, number>;
  /** Points charged for all known tasks, every attempt. */
  spent: number;
  /** Largest points of one attempt seen so far, by the quality that was asked for. */
  readonly largestPoints: Map<Quality, number>;
  /** Attempts whose task may still be charged, by quality; those that a retry left behind are among them. */
  readonly reserving: Map<Quality, number>;
  /** Those of them that have ended: their points could not be read. */
  unpriced: number;
  /** Longest time from submission to end of a task so far; null while none has ended. */
  longestTaskMs: number | null;
}

/** A ledger of nothing. */
export function createLedger(): Ledger {
  const counts = Object.fromEntries(statuses.map((status) => [status, 0])) as Record<Status, number>;
  return {
    counts,
    spent: 0,
    largestPoints: new Map(),
    reserving: new Map(),
    unpriced: 0,
    longestTaskMs: null,
  };
}

/** A ledger of its own with the same numbers. */
export function copyLedger(ledger: Ledger): Ledger {
  const { counts, largestPoints, reserving } = ledger;
  return {
    ...ledger,
    counts: { ...counts },
    largestPoints: new Map(largestPoints),
    reserving: new Map(reserving),
  };
}

/** The quality the service works at for this item. */
export function effectiveQuality(quality: Quality | null): Quality {
  return quality ?? serviceDefaultQuality;
}

/** Brings the ledger from `before` to `after`, two states of one item. */
export function applyChange(ledger: Ledger, before: Item, after: Item): void {
  ledger.counts[before.status] -= 1;
  ledger.counts[after.status] += 1;
  const samePoints = before.attempt === after.attempt && before.token === after.token;
  // What an attempt that is left behind may cost is not taken back: a lost task does not get cheaper by a retry.
  if (samePoints) reserve(ledger, before, -1);
  reserve(ledger, after, 1);
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
  if (!isReserving(item)) return;
  const quality = effectiveQuality(item.quality);
  ledger.reserving.set(quality, (ledger.reserving.get(quality) ?? 0) + by);
  if (isUnpriced(item)) ledger.unpriced += by;
}

/** Remembers the largest points seen for a quality. Nothing charged says nothing about the price. */
export function noteLargest(ledger: Ledger, quality: Quality, points: number): void {
  if (points > (ledger.largestPoints.get(quality) ?? 0)) ledger.largestPoints.set(quality, points);
}

/** The most that one task of this quality cost so far; null while none has. The price of another quality says nothing. */
export function expectedPoints(ledger: Ledger, quality: Quality | null): number | null {
  return ledger.largestPoints.get(effectiveQuality(quality)) ?? null;
}

/** The same for an estimate, where the price of another quality is better than none. Nothing is submitted by it. */
export function guessedPoints(ledger: Ledger, quality: Quality | null): number | null {
  const own = expectedPoints(ledger, quality);
  if (own !== null) return own;
  return ledger.largestPoints.size === 0 ? null : Math.max(...ledger.largestPoints.values());
}

/** Points reserved by tasks that may still be charged; null where there are some of a quality whose price is not known. */
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
  /** The key is not known; its account has no points; it may not do this. */
  | 'key-refused'
  | 'no-points'
  | 'key-forbidden'
  | 'collected'
  | 'limit'
  | 'points-cap'
  | 'unpriced'
  | 'halt'
  | 'uncertain-breaker'
  | 'lost-breaker'
  | 'busy'
  | 'foreign-answer'
  | 'wrong-service'
  | 'refusal-breaker'
  | 'unreachable'
  | 'misconfigured'
  | 'disk'
  /** The checkpoint is damaged, or not the one that it was. */
  | 'checkpoint'
  | 'bug';

/** True where the service refuses whatever is asked with this key. */
export function isKeyRefusal(reason: EndingReason): boolean {
  return reason === 'key-refused' || reason === 'no-points' || reason === 'key-forbidden';
}

/**
 * The exit code that tells the truth about a run (highest of 5, 4, 1 that applies). `keptCount` unanswered creations have their
 * tasks kept beside the checkpoint.
 */
export function decideExitCode(
  counts: Readonly<Record<Status, number>>,
  reason: EndingReason,
  keptCount = 0,
): number {
  if (reason === 'interrupted') return 130;
  if (reason === 'terminated') return 143;
  if (isKeyRefusal(reason)) return 3;
  if (reason === 'wrong-service') return 2;
  // A creation that is still unanswered when the run has ended is found uncertain at the next start.
  if (counts.uncertain + counts.submitting - keptCount > 0) return 5;
  if (counts.pending + counts.open + counts.downloading > 0 || reason === 'disk') return 4;
  if (counts.failed + counts.rejected + counts.undelivered + counts.lost + counts.invalid > 0) return 1;
  return 0;
}
