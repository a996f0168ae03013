/** Who gets a slot, what the budget allows, and when the next tick is. Pure: time and numbers come in. */

import type { Item, Quality } from './item.ts';
import { fixed, type Policy } from './policy.ts';
import { expectedPoints, guessedPoints, type Ledger, reservedPoints, roundPoints } from './summary.ts';

/** The place of an uncertain creation: whose it is, and when it was submitted (epoch ms). */
export interface UncertainPlace {
  readonly id: string;
  readonly at: number;
}

/** The places that uncertain creations still hold. */
export function heldByUncertain(
  places: readonly UncertainPlace[],
  ledger: Ledger,
  now: number,
): readonly UncertainPlace[] {
  const holdMs = uncertainHoldMs(ledger);
  return places.filter(({ at }) => now < at + holdMs && at <= now + holdMs);
}

/** When the first of these places is free again (epoch ms), and whose it is; null where there are none. */
export function firstFree(held: readonly UncertainPlace[], ledger: Ledger): UncertainPlace | null {
  const holdMs = uncertainHoldMs(ledger);
  return held.reduce<UncertainPlace | null>((first, { id, at }) => {
    const until = at + holdMs;
    return first === null || until < first.at ? { id, at: until } : first;
  }, null);
}

/**
 * The place that is free first, where rows that may be tasks at the service hold all that are not in use; null where some place is
 * free now, or no row holds one. `at` is when (epoch ms).
 */
export function heldByAll(
  places: readonly UncertainPlace[],
  ledger: Ledger,
  concurrency: number,
  now: number,
): UncertainPlace | null {
  const held = heldByUncertain(places, ledger, now);
  const { submitting, open } = ledger.counts;
  return submitting + open + held.length < concurrency ? null : firstFree(held, ledger);
}

/** The places after an item went from one state to another. */
export function placesAfter(
  places: readonly UncertainPlace[],
  before: Item,
  after: Item,
): readonly UncertainPlace[] {
  if (before.status === after.status) return places;
  const { id, submittedAt } = after;
  const left = before.status === 'uncertain' ? places.filter((place) => place.id !== before.id) : places;
  return after.status === 'uncertain' && submittedAt !== null ? [...left, { id, at: submittedAt }] : left;
}

/** How long (ms) an uncertain creation may still be a task at the service: as long as the longest one so far took. */
export function uncertainHoldMs(ledger: Ledger): number {
  return ledger.longestTaskMs ?? fixed.uncertainHoldMs;
}

/** What there is to share out among pending rows. */
export interface Slots {
  /** Creations that may be on their way at once. */
  readonly window: number;
  /** Tasks that the service takes at once, as far as it was seen. */
  readonly openLimit: number;
  /** Uncertain creations that still hold a slot. */
  readonly uncertain: number;
  /** Rows submitted in this run so far. */
  readonly submittedRows: number;
  /** Items whose task was completed in this run and whose files are not all here. */
  readonly fetching: number;
}

/** How many items may wait for their files before nothing more is submitted. */
export function longestDownloadLine(policy: Policy): number {
  return policy.concurrency + fixed.downloadLine;
}

/** How many rows may be submitted now, as far as slots, creations in flight, the line of downloads and `--limit` go. */
export function decideRoom(policy: Policy, ledger: Ledger, slots: Slots): number {
  const { submitting, open } = ledger.counts;
  const bySlots = policy.concurrency - submitting - open - slots.uncertain;
  const byService = Math.floor(slots.openLimit) - submitting - open;
  const byDownloads = longestDownloadLine(policy) - slots.fetching;
  const byFlight = slots.window - submitting;
  const byLimit = policy.limit === null ? Number.POSITIVE_INFINITY : policy.limit - slots.submittedRows;
  return Math.max(0, Math.min(bySlots, byService, byDownloads, byFlight, byLimit));
}

/**
 * How many of the first candidates the budget allows: spent + reserved + theirs stays within `maxPoints`. A row of a quality
 * whose price is not known goes alone, and nothing else goes until its points are seen: it may cost whatever is left.
 */
export function decideAffordable(policy: Policy, ledger: Ledger, candidates: readonly Item[]): number {
  if (policy.maxPoints === null) return candidates.length;
  const reserved = reservedPoints(ledger);
  if (reserved === null) return 0;
  let total = ledger.spent + reserved;
  let count = 0;
  for (const candidate of candidates) {
    const quality = candidate.quality ?? policy.quality;
    const points = expectedPoints(ledger, quality);
    if (points === null)
      return count > 0 ? count : mayTry(policy.maxPoints, total, guessedPoints(ledger, quality));
    total += points;
    if (roundPoints(total) > policy.maxPoints) break;
    count += 1;
  }
  return count;
}

/** One row to learn a price by; none where the price of other qualities says that there is no room for it. */
function mayTry(maxPoints: number, total: number, guess: number | null): 0 | 1 {
  return total < maxPoints && roundPoints(total + (guess ?? 0)) <= maxPoints ? 1 : 0;
}

/** Tasks whose end will tell what they cost. */
function pricesToCome({ counts }: Ledger): number {
  return counts.submitting + counts.open;
}

/**
 * Why the budget has no room, once nothing is on its way that could make some; null while there is. `asked`: rows that are asked
 * for their points once more.
 */
export function budgetEnd(ledger: Ledger, asked: number): 'unpriced' | 'points-cap' | null {
  if (pricesToCome(ledger) + asked > 0) return null;
  return reservedPoints(ledger) === null ? 'unpriced' : 'points-cap';
}

/** Qualities of tasks that may have been charged while no task of that quality has shown its price. */
export function unpricedQualities(ledger: Ledger): readonly Quality[] {
  return [...ledger.reserving].flatMap(([quality, count]) =>
    count > 0 && expectedPoints(ledger, quality) === null ? [quality] : [],
  );
}

/** True once spent + reserved points reach the share of the budget that is worth a warning. */
export function isBudgetNear(policy: Policy, ledger: Ledger): boolean {
  if (policy.maxPoints === null) return false;
  return ledger.spent + (reservedPoints(ledger) ?? 0) >= policy.maxPoints * fixed.budgetWarningShare;
}

/**
 * When the next sweep starts: one interval after the last one began, and at once, but only once, when that has passed. Times are
 * steady ms.
 */
export function nextTickAt(lastTickAt: number | null, now: number, policy: Policy): number {
  return lastTickAt === null ? now : lastTickAt + policy.pollIntervalMs;
}

/**
 * What is left (ms) of a pause that an earlier run was asked for, until `notBefore` (epoch ms). One that ends further ahead than
 * any pause is long was set before the clock was put back: it is over, or a run would wait for a day that has been.
 */
export function pauseLeftMs(notBefore: number, now: number): number {
  const leftMs = notBefore - now;
  return leftMs > fixed.retryAfterMaxMs ? 0 : Math.max(0, leftMs);
}

/** Waiting for this task has taken longer than the user wants to wait. */
export function isOverdue(item: Item, now: number, policy: Policy): boolean {
  return item.submittedAt !== null && now - item.submittedAt > policy.taskTimeoutMs;
}
