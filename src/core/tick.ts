/** Who gets a slot, what the budget allows, and when the next beat is. Pure: time and numbers come in. */

import type { Item } from './item.ts';
import { fixed, type Policy } from './policy.ts';
import { expectedPoints, type Ledger, reservedPoints, roundPoints } from './summary.ts';

/** Since when each uncertain creation is uncertain, as far as it still holds its slot. */
export function heldByUncertain(
  submittedAts: readonly number[],
  ledger: Ledger,
  now: number,
): readonly number[] {
  const holdMs = uncertainHoldMs(ledger);
  return submittedAts.filter((at) => now < at + holdMs && at <= now + holdMs);
}

/** How long (ms) an uncertain creation may still be a task at the service: as long as the longest one so far took. */
export function uncertainHoldMs(ledger: Ledger): number {
  return ledger.longestTaskMs ?? fixed.uncertainHoldMs;
}

/** What there is to share out among pending rows. */
export interface Slots {
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
  const byDownloads = longestDownloadLine(policy) - slots.fetching;
  const byFlight = fixed.creationsInFlight - submitting;
  const byLimit = policy.limit === null ? Number.POSITIVE_INFINITY : policy.limit - slots.submittedRows;
  return Math.max(0, Math.min(bySlots, byDownloads, byFlight, byLimit));
}

/**
 * How many of the first candidates the budget allows: spent + reserved + theirs stays within `maxPoints`. While no
 * price is known, one row at a time is let through until its points are seen.
 */
export function decideAffordable(policy: Policy, ledger: Ledger, candidates: readonly Item[]): number {
  if (policy.maxPoints === null) return candidates.length;
  const reserved = reservedPoints(ledger);
  if (reserved === null) return 0;
  let total = ledger.spent + reserved;
  let count = 0;
  for (const candidate of candidates) {
    const points = expectedPoints(ledger, candidate.quality ?? policy.quality);
    if (points === null) return total < policy.maxPoints ? 1 : 0;
    total += points;
    if (roundPoints(total) > policy.maxPoints) break;
    count += 1;
  }
  return count;
}

/** True while any item's task may still be charged. */
export function isReserving(ledger: Ledger): boolean {
  return [...ledger.reserving.values()].some((count) => count > 0);
}

/** True once spent + reserved points reach the share of the budget that is worth a warning. */
export function isBudgetNear(policy: Policy, ledger: Ledger): boolean {
  if (policy.maxPoints === null) return false;
  return ledger.spent + (reservedPoints(ledger) ?? 0) >= policy.maxPoints * fixed.budgetWarningShare;
}

/** When the next sweep starts: one interval after the last one began, and at once, but only once, when that has passed. */
export function nextTickAt(lastTickAt: number | null, now: number, policy: Policy): number {
  if (lastTickAt === null || lastTickAt > now) return now;
  return lastTickAt + policy.pollIntervalMs;
}

/**
 * When a pause is over. One that ends further ahead than any pause is long was set before the clock was put back: it is
 * over now, or a run would wait for a day that has been.
 */
export function pauseEnd(notBefore: number, now: number): number {
  const isStale = Number.isFinite(notBefore) && notBefore > now + fixed.retryAfterMaxMs;
  return isStale ? now : notBefore;
}

/** Waiting for this task has taken longer than the user wants to wait. */
export function isOverdue(item: Item, now: number, policy: Policy): boolean {
  return item.submittedAt !== null && now - item.submittedAt > policy.taskTimeoutMs;
}
