/** Who gets a slot, what the budget allows, and when the next tick is. Pure: time and numbers come in. */

import type { Item, Quality } from './item.ts';
import { fixed, type Policy } from './policy.ts';
import { expectedPoints, type Ledger, mostPoints, reservedPoints, roundPoints } from './summary.ts';

/** The slot of an uncertain creation: its item, and when it was submitted (epoch ms). */
export interface UncertainPlace {
  readonly id: string;
  readonly at: number;
}

/** The slots that uncertain creations still occupy. */
export function uncertainSlots(
  places: readonly UncertainPlace[],
  slotMs: number,
  now: number,
): readonly UncertainPlace[] {
  return places.filter(({ at }) => now < at + slotMs && at <= now + slotMs);
}

/** When the first of these slots is free again (epoch ms), and its item; null where there are none. */
export function firstFree(occupied: readonly UncertainPlace[], slotMs: number): UncertainPlace | null {
  return occupied.reduce<UncertainPlace | null>((first, { id, at }) => {
    const until = at + slotMs;
    return first === null || until < first.at ? { id, at: until } : first;
  }, null);
}

/** Slots that uncertain rows occupy. */
export interface UncertainSlots {
  readonly held: number;
  readonly of: number;
  /** When the first of them is free again (epoch ms), and its row. */
  readonly until: number;
  readonly id: string;
}

/**
 * The slots that uncertain rows occupy, where none is free and theirs are at least half of all: fewer delay a run no more
 * than its own tasks do. Else null.
 */
export function mostlyUncertain(
  places: readonly UncertainPlace[],
  ledger: Ledger,
  policy: Pick<Policy, 'concurrency' | 'taskTimeoutMs'>,
  now: number,
): UncertainSlots | null {
  const { concurrency: of } = policy;
  const slotMs = uncertainSlotMs(ledger, policy);
  const occupied = uncertainSlots(places, slotMs, now);
  const { submitting, open } = ledger.counts;
  const first = firstFree(occupied, slotMs);
  const isFree = submitting + open + occupied.length < of;
  if (first === null || isFree || occupied.length < of / 2) return null;
  return { held: Math.min(occupied.length, of), of, until: first.at, id: first.id };
}

/** The slots after an item changed. */
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

/**
 * How long (ms) an uncertain creation may still be a task at the service: as long as the longest task so far, but no longer
 * than a known task holds its slot. A task may have ended days before anybody looked.
 */
export function uncertainSlotMs(
  { longestTaskMs }: Pick<Ledger, 'longestTaskMs'>,
  { taskTimeoutMs }: Pick<Policy, 'taskTimeoutMs'>,
): number {
  return Math.min(longestTaskMs ?? fixed.uncertainHoldMs, taskTimeoutMs);
}

/** The limits and numbers that share slots among pending rows. */
export interface Slots {
  /** Creations that may be in flight at once in the whole run. */
  readonly window: number;
  /** Creations of this process in flight; absent where it has the run for itself. Those of others end within moments. */
  readonly inFlight?: number | undefined;
  /** Tasks the service accepts at once, as far as observed. */
  readonly openLimit: number;
  /** Uncertain creations that still hold a slot. */
  readonly uncertain: number;
  /** Rows submitted in this run so far. */
  readonly submittedRows: number;
  /** Items whose task was completed in this run and whose files are not all saved. */
  readonly fetching: number;
  /** Rows that may be submitted as far as deliveries say: by default any number. */
  readonly deliverable?: number;
}

/** How many items may wait for their files before submitting pauses. */
export function longestDownloadLine(policy: Policy): number {
  return policy.concurrency + fixed.downloadLine;
}

/** How many rows may be submitted now under slots, creations in flight, the download queue and `--limit`. */
export function decideRoom(policy: Policy, ledger: Ledger, slots: Slots): number {
  const { submitting, open } = ledger.counts;
  const bySlots = policy.concurrency - submitting - open - slots.uncertain;
  const byService = Math.floor(slots.openLimit) - submitting - open;
  const byDownloads = longestDownloadLine(policy) - slots.fetching;
  const byDeliveries = slots.deliverable ?? Number.POSITIVE_INFINITY;
  const byFlight = slots.window - (slots.inFlight ?? submitting);
  const byLimit = policy.limit === null ? Number.POSITIVE_INFINITY : policy.limit - slots.submittedRows;
  return Math.max(0, Math.min(bySlots, byService, byDownloads, byDeliveries, byFlight, byLimit));
}

/**
 * How many of the first candidates the budget allows: spent + reserved + theirs stays within `maxPoints`. A row whose
 * quality has no known price goes alone, and nothing else goes until its points are known: it may cost all that is
 * left.
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
    if (points === null) return count > 0 ? count : mayTry(policy.maxPoints, total, mostPoints(ledger));
    total += points;
    if (roundPoints(total) > policy.maxPoints) break;
    count += 1;
  }
  return count;
}

/** One row, to learn a price; none where the prices of other qualities show that there is no room for it. */
function mayTry(maxPoints: number, total: number, guess: number | null): 0 | 1 {
  return total < maxPoints && roundPoints(total + (guess ?? 0)) <= maxPoints ? 1 : 0;
}

/** Tasks whose end will reveal their price. */
function pricesToCome({ counts }: Ledger): number {
  return counts.submitting + counts.open;
}

/**
 * Why the budget has no room once nothing in flight could make some; null while something could. `asked`: rows whose
 * points are being requested again.
 */
export function budgetEnd(ledger: Ledger, asked: number): 'unpriced' | 'points-cap' | null {
  if (pricesToCome(ledger) + asked > 0) return null;
  return reservedPoints(ledger) === null ? 'unpriced' : 'points-cap';
}

/** Qualities of tasks that may have been charged while no task of that quality has a known price. */
export function unpricedQualities(ledger: Ledger): readonly Quality[] {
  return [...ledger.reserving].flatMap(([quality, count]) =>
    count > 0 && expectedPoints(ledger, quality) === null ? [quality] : [],
  );
}

/** A budget of which a large share is spent or reserved. */
export interface NearBudget {
  readonly percent: number;
  /** Spent and reserved. */
  readonly points: number;
  readonly cap: number;
}

/** What is said once spent + reserved points reach the warning share of the budget; null before. */
export function nearBudget({ maxPoints: cap }: Policy, ledger: Ledger): NearBudget | null {
  if (cap === null) return null;
  const points = roundPoints(ledger.spent + (reservedPoints(ledger) ?? 0));
  if (points < cap * fixed.budgetWarningShare) return null;
  return { percent: cap === 0 ? 100 : Math.floor((100 * points) / cap), points, cap };
}

/**
 * When the next sweep starts: one interval after the last one began, or at once if that has passed; missed ticks are
 * not made up for. Times are steady ms.
 */
export function nextTickAt(lastTickAt: number | null, now: number, policy: Policy): number {
  return lastTickAt === null ? now : lastTickAt + policy.pollIntervalMs;
}

/**
 * The rest (ms) of a pause that the service asked of an earlier run, until `notBefore` (epoch ms). One longer than the
 * longest pause was saved before the clock was set back, so it is ignored.
 */
export function pauseLeftMs(notBefore: number, now: number): number {
  const leftMs = notBefore - now;
  return leftMs > fixed.retryAfterMaxMs ? 0 : Math.max(0, leftMs);
}

/** True when waiting for this task has exceeded the user's limit. */
export function isOverdue(item: Item, now: number, policy: Policy): boolean {
  return item.submittedAt !== null && now - item.submittedAt > policy.taskTimeoutMs;
}
