/** Counts, points and durations of a run, and what follows from them. */

import { type Item, type Quality, type Status, serviceDefaultQuality, statuses } from './item.ts';
import { isHeld } from './reused.ts';
import { hasMark } from './statuses.ts';

/** One sentence per status, for people. */
export const statusMeaning: Readonly<Record<Status, string>> = {
  pending: 'not sent',
  submitting: 'the creation is in flight; no answer yet',
  open: 'the service is making the video',
  downloading: 'the service has finished; not all files are downloaded',
  completed: 'all files are on disk and complete',
  failed: 'the service says FAILED',
  rejected: 'the creation was refused; no task exists',
  uncertain: 'the creation was sent; its outcome is unknown',
  undelivered: 'completed and charged, but the video could not be fetched',
  lost: 'the service no longer knows the task, or --task-timeout passed',
  invalid: 'the row cannot be sent',
};

/** True while the current attempt of the item may cost points that are not known. One whose task passed to a later attempt costs 0. */
function isReserving({ status, taskId, points }: Item): boolean {
  return points === null && (hasMark(status, 'reserving') || taskId !== null);
}

/** True for a row whose video was made at a price that may still change: points missing or zero. */
export function mayBePricedLate({ status, points }: Pick<Item, 'status' | 'points'>): boolean {
  return hasMark(status, 'priced-late') && (points ?? 0) === 0;
}

/** True for a task that ended without readable points: it may have cost as much as another of its quality. */
function isUnpriced({ status, taskId, points }: Pick<Item, 'status' | 'taskId' | 'points'>): boolean {
  return taskId !== null && points === null && !hasMark(status, 'reserving');
}

/** Totals of the checkpoint; kept current by `applyChange`, loaded from the database at a start. */
export interface Ledger {
  /** Items per status; every status is a key. */
  readonly counts: Record<Status, number>;
  /** Of the invalid ones, those that wait for the video of another row. */
  held: number;
  /** Points charged for all known tasks, every attempt. */
  spent: number;
  /** Largest points of one attempt so far, by requested quality. */
  readonly largestPoints: Map<Quality, number>;
  /** Attempts whose task may still be charged, by quality; includes attempts superseded by a retry. */
  readonly reserving: Map<Quality, number>;
  /** Of these, the ended ones: their points could not be read. */
  unpriced: number;
  /** Longest time from submission to end of a task so far; null while none has ended. */
  longestTaskMs: number | null;
}

export function createLedger(): Ledger {
  const counts = Object.fromEntries(statuses.map((status) => [status, 0])) as Record<Status, number>;
  return {
    counts,
    held: 0,
    spent: 0,
    largestPoints: new Map(),
    reserving: new Map(),
    unpriced: 0,
    longestTaskMs: null,
  };
}

/** An independent copy. */
export function copyLedger(ledger: Ledger): Ledger {
  const { counts, largestPoints, reserving } = ledger;
  return {
    ...ledger,
    counts: { ...counts },
    largestPoints: new Map(largestPoints),
    reserving: new Map(reserving),
  };
}

/** The quality the service uses for this item. */
export function effectiveQuality(quality: Quality | null): Quality {
  return quality ?? serviceDefaultQuality;
}

/** Applies the change from `before` to `after`, two states of one item. */
export function applyChange(ledger: Ledger, before: Item, after: Item): void {
  ledger.counts[before.status] -= 1;
  ledger.counts[after.status] += 1;
  ledger.held += Number(isHeld(after)) - Number(isHeld(before));
  const samePoints = before.attempt === after.attempt && before.token === after.token;
  // A superseded attempt keeps its reservation: a retry does not make a lost task cheaper.
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

/** Records the largest points seen for a quality. A zero charge says nothing about the price. */
export function noteLargest(ledger: Ledger, quality: Quality, points: number): void {
  if (points > (ledger.largestPoints.get(quality) ?? 0)) ledger.largestPoints.set(quality, points);
}

/** The most that one task of this quality has cost; null while none has. Prices of other qualities say nothing. */
export function expectedPoints(ledger: Ledger, quality: Quality | null): number | null {
  return ledger.largestPoints.get(effectiveQuality(quality)) ?? null;
}

/** The most that a task of any quality has cost; null while none has. */
export function mostPoints({ largestPoints }: Ledger): number | null {
  return largestPoints.size === 0 ? null : Math.max(...largestPoints.values());
}

/** Points reserved by tasks that may still be charged; null where the price of a quality is not known. */
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

/** Removes binary rounding errors from a sum of points. */
export function roundPoints(points: number): number {
  return Math.round(points * 1e6) / 1e6;
}

export function countRows(ledger: Ledger): number {
  return statuses.reduce((sum, status) => sum + ledger.counts[status], 0);
}

/** Why a run ended. */
export type EndingReason =
  | 'done'
  | 'interrupted'
  | 'terminated'
  /** The service does not know the key; its account has no points; it lacks permission. */
  | 'key-refused'
  | 'no-points'
  | 'key-forbidden'
  | 'collected'
  /** A shared run: somebody began another round, so its options are read again. */
  | 'new-round'
  /** The store knows less than its processes do: it was restored from an older copy. */
  | 'older-store'
  /** The run was brought up to date by another version of the program, whose rules this process does not know. */
  | 'updated'
  /** The server of a shared run may forget what it has saved. */
  | 'not-durable'
  | 'limit'
  /** Rows wait that --only, --sample or a retry did not name. */
  | 'part'
  | 'points-cap'
  | 'unpriced'
  | 'halt'
  | 'uncertain-breaker'
  | 'lost-breaker'
  /** Videos that are paid for cannot be fetched. */
  | 'delivery-breaker'
  | 'busy'
  | 'foreign-answer'
  | 'wrong-service'
  | 'refusal-breaker'
  | 'unreachable'
  | 'misconfigured'
  | 'disk'
  /** The checkpoint is damaged or was replaced. */
  | 'checkpoint'
  | 'bug';

/** True where the service refuses every request with this key. */
export function isKeyRefusal(reason: EndingReason): boolean {
  return reason === 'key-refused' || reason === 'no-points' || reason === 'key-forbidden';
}

/**
 * The exit code of a run: the highest of 5, 4, 1 that applies. `keptCount` unanswered creations have their task ids
 * saved next to the checkpoint; a run is shared where other processes may work on it; `held` rows wait for the video of another one.
 */
export function decideExitCode(
  counts: Readonly<Record<Status, number>>,
  reason: EndingReason,
  {
    keptCount = 0,
    isShared = false,
    held = 0,
  }: { readonly keptCount?: number; readonly isShared?: boolean; readonly held?: number } = {},
): number {
  if (reason === 'interrupted') return 130;
  if (reason === 'terminated') return 143;
  if (isKeyRefusal(reason)) return 3;
  if (reason === 'wrong-service') return 2;
  // A creation still unanswered when the run ends is uncertain at the next start; those of other processes are on their way.
  const [unanswered, onTheirWay] = isShared ? [0, counts.submitting] : [counts.submitting - keptCount, 0];
  if (counts.uncertain + unanswered > 0) return 5;
  // Rows that were refused alike are sent once more when creations are accepted again.
  const isLeft = reason === 'disk' || reason === 'refusal-breaker';
  if (counts.pending + held + onTheirWay + counts.open + counts.downloading > 0 || isLeft) return 4;
  if (counts.failed + counts.rejected + counts.undelivered + counts.lost + counts.invalid > 0) return 1;
  return 0;
}
