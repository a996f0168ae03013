/**
 * Whether one more row may be claimed now, and what is in the way.
 *
 * Its law: the narrowest decides of the places at the service (tasks, creations on their way, uncertain rows that may still
 * be tasks), the files that wait to be fetched, the user's limit and the budget. What a claim is saved with counts before it.
 */

import { mostOpen } from '../../money/breakers/open-limit.ts';
import type { Item } from '../../money/item.ts';
import { fixed, type Policy } from '../../money/policy.ts';
import { applyChange, copyLedger, type Ledger } from '../../money/summary.ts';
import {
  decideRoom,
  firstFree,
  longestDownloadLine,
  mostlyUncertain,
  placesAfter,
  type UncertainPlace,
  uncertainSlotMs,
  uncertainSlots,
} from '../../money/tick.ts';
import type { Obstacle } from '../../ports.ts';
import type { Change, ClaimRoom } from '../../stores/port/checkpoint.ts';
import type { RunContext, RunnerOptions, RunnerPorts } from '../context.ts';
import type { Deliveries } from '../downloading/deliveries.ts';
import type { Budget } from './budget.ts';
import type { CreationBreaker } from './creation-breaker.ts';

/** What the room depends on. */
interface Parts {
  readonly breaker: CreationBreaker;
  readonly budget: Budget;
  readonly deliveries: Deliveries;
}

/** Times are steady ms, except in a `Hold`. */
export class Room {
  readonly #options: RunnerOptions;
  readonly #ports: RunnerPorts;
  readonly #parts: Parts;
  #places: readonly UncertainPlace[] = [];
  /** Rows of this run, or of the round where it is shared. */
  #submittedRows = 0;
  /** Those submitted before the limit was tuned: it counts from then on. */
  #submittedBefore = 0;
  /** Keys of the items that this process submits at the moment. */
  readonly #inFlight = new Set<number>();
  /** Keys of the items completed at the service in this run that wait for their files. */
  readonly #fetching = new Set<number>();
  /** The run as a whole had no room: not before this time. */
  #othersUntil = Number.NEGATIVE_INFINITY;
  /** How long the next wait for places lasts (ms): longer than the first where no claim has found one since. */
  #placeTakenMs: number = fixed.placeTakenMs;

  constructor({ options, ports }: RunContext, parts: Parts) {
    this.#options = options;
    this.#ports = ports;
    this.#parts = parts;
  }

  get #policy(): Policy {
    return this.#options.policy;
  }

  /** Loads the uncertain creations that may still occupy a place. */
  async look(): Promise<void> {
    this.#places = await this.#ports.checkpoint.uncertainPlaces();
  }

  /** How many rows may be claimed now, regardless of the budget. */
  free(ledger: Ledger, places: readonly UncertainPlace[] = this.#places): number {
    const { breaker, deliveries } = this.#parts;
    const { window } = breaker.state;
    const openLimit = this.#mostOpen;
    const slotMs = uncertainSlotMs(ledger, this.#policy);
    const uncertain = uncertainSlots(places, slotMs, this.#ports.clock.now()).length;
    const [submittedRows, fetching] = [this.#submittedNow, this.#fetching.size];
    const deliverable = deliveries.room(ledger);
    // The store knows how many of the others are in flight: it gives what places there are.
    const inFlight = this.#options.shared == null ? undefined : this.#inFlight.size;
    const slots = { window, inFlight, openLimit, uncertain, submittedRows, fetching, deliverable };
    const room = decideRoom(this.#policy, ledger, slots);
    // One row tries whether others have left a place: all of its request is read before, pictures too.
    return this.#placeTakenMs > fixed.placeTakenMs ? Math.min(1, room) : room;
  }

  /** How many of the chosen items still have room next to these changes. */
  admit(chosen: readonly Item[], changes: readonly Change[], ledger: Ledger): number {
    const next = changes.length === 0 ? ledger : copyLedger(ledger);
    let places = this.#places;
    for (const { before, after } of changes) {
      applyChange(next, before, after);
      places = placesAfter(places, before, after);
    }
    return this.#parts.budget.affordable(next, chosen.slice(0, this.free(next, places)));
  }

  /** How many tasks may be open at once now, as far as the service takes them. */
  get #mostOpen(): number {
    return mostOpen(this.#parts.breaker.state, this.#policy);
  }

  /** Rows submitted that the limit counts. */
  get #submittedNow(): number {
    return this.#submittedRows - this.#submittedBefore;
  }

  get isLimitReached(): boolean {
    const { limit } = this.#policy;
    return limit !== null && this.#submittedNow >= limit;
  }

  /** How many of so many waiting rows the limit allows. */
  withinLimit(waiting: number): number {
    const { limit } = this.#policy;
    return Math.max(0, limit === null ? waiting : Math.min(waiting, limit - this.#submittedNow));
  }

  /** The limit counts from now on. */
  countAnew(): void {
    this.#submittedBefore = this.#submittedRows;
  }

  /** The room that claims must find in the run as a whole. */
  inRun(
    at: number,
    known: Pick<ClaimRoom, 'round' | 'creations' | 'lastSent' | 'lastFact' | 'steering'>,
  ): ClaimRoom {
    const { concurrency, limit, maxPoints, requestTimeoutMs, taskTimeoutMs } = this.#policy;
    const { breaker, deliveries } = this.#parts;
    return {
      ...known,
      held: concurrency,
      mostHoldMs: taskTimeoutMs,
      open: deliveries.isDoubtful ? Math.min(1, this.#mostOpen) : this.#mostOpen,
      // One window for all processes of the run: an outage costs no more uncertain rows where more of them work.
      submitting: breaker.state.window,
      submitted: limit,
      points: maxPoints,
      pricedLateSince: at - fixed.priceSettleMs,
      answerBy: at + fixed.sendWindowMs + requestTimeoutMs + fixed.answerMarginMs,
      at,
    };
  }

  /** Other processes have the room, or the rows: looks again when they may have changed. */
  waitForOthers(ms: number = fixed.sharedLookMs): void {
    if (this.#options.shared == null) return;
    this.#othersUntil = this.#ports.clock.steady() + ms;
  }

  /** Creations of others on their way have the places: a service that answers at once has free ones in a moment. */
  waitForPlaces(): void {
    this.waitForOthers(this.#placeTakenMs);
    this.#placeTakenMs = Math.min(2 * this.#placeTakenMs, fixed.sharedLookMs);
  }

  /** No row before this time, whatever room there is. */
  get notBefore(): number {
    return Math.max(this.#parts.breaker.state.notBefore, this.#othersUntil);
  }

  /** When there may be room without an event; infinite when only an event can help. */
  freeAt(ledger: Ledger): number {
    if (this.free(ledger) > 0) return this.notBefore;
    const { clock } = this.#ports;
    const slotMs = uncertainSlotMs(ledger, this.#policy);
    const first = firstFree(uncertainSlots(this.#places, slotMs, clock.now()), slotMs);
    const firstAt = first === null ? Number.POSITIVE_INFINITY : clock.steady() + first.at - clock.now();
    return Math.max(this.#parts.breaker.state.notBefore, firstAt);
  }

  /** What is in the way of a waiting row, other than the run's own open tasks; null for nothing. */
  obstacle(ledger: Ledger): Obstacle | null {
    const { breaker, budget, deliveries } = this.#parts;
    if (budget.waits) return { why: 'budget' };
    if (this.#fetching.size >= longestDownloadLine(this.#policy) || deliveries.room(ledger) === 0)
      return { why: 'downloads' };
    const { clock } = this.#ports;
    const { notBefore, probe, failure } = breaker.state;
    const leftMs = notBefore - clock.steady();
    if (leftMs > 0) return { why: 'pause', until: clock.now() + leftMs, failure };
    if (probe === 'due') return { why: 'probe' };
    const held = mostlyUncertain(this.#places, ledger, this.#policy, clock.now());
    if (held !== null) return { why: 'uncertain', ...held };
    return fullService(ledger, this.#mostOpen, this.#policy);
  }

  /** Until when some uncertain row may still be an open task (epoch ms); null for none. */
  uncertainUntil(ledger: Ledger): number | null {
    const slotMs = uncertainSlotMs(ledger, this.#policy);
    const held = uncertainSlots(this.#places, slotMs, this.#ports.clock.now());
    return held.length === 0 ? null : Math.max(...held.map(({ at }) => at)) + slotMs;
  }

  /** An item changed its status. */
  note(before: Item, after: Item): void {
    this.#submittedRows += submittedBy(before, after);
    if (after.status !== 'submitting') this.#inFlight.delete(after.key);
    else {
      this.#inFlight.add(after.key);
      this.#placeTakenMs = fixed.placeTakenMs;
    }
    if (before.status === 'open' && after.status === 'downloading') this.#fetching.add(after.key);
    else this.#fetching.delete(after.key);
    this.#places = placesAfter(this.#places, before, after);
  }

  /** What all processes of the run have submitted in this round. */
  noteShared(submittedRows: number): void {
    this.#submittedRows = submittedRows;
  }
}

/** How many more rows are submitted after an item changed its status; a row that came back is not. */
export function submittedBy(before: Item, after: Item): 1 | 0 | -1 {
  if (after.status === 'submitting') return 1;
  return before.status === 'submitting' && after.status === 'pending' ? -1 : 0;
}

/** The service accepts fewer tasks at once than the user asked for. A search shows its number anyway. */
function fullService({ counts }: Ledger, most: number, { concurrency, searchFrom }: Policy): Obstacle | null {
  const open = counts.submitting + counts.open;
  return searchFrom === null && most < concurrency && open >= most ? { why: 'service', open } : null;
}
