/**
 * Decides which pending rows become creations, and when: slots, budget, limit, pauses and circuit breaker in one place.
 */

import type { Item } from '../core/item.ts';
import { concurrencyNow, mostOpen } from '../core/open-limit.ts';
import { fixed, type Policy } from '../core/policy.ts';
import { type Pause, pauseAt } from '../core/steering.ts';
import {
  applyChange,
  badStatuses,
  copyLedger,
  type EndingReason,
  effectiveQuality,
  type Ledger,
  reservedPoints,
} from '../core/summary.ts';
import {
  budgetEnd,
  decideAffordable,
  decideRoom,
  firstFree,
  heldByAll,
  heldByUncertain,
  isBudgetNear,
  longestDownloadLine,
  pauseLeftMs,
  placesAfter,
  type UncertainPlace,
  uncertainHoldMs,
  unpricedQualities,
} from '../core/tick.ts';
import type { Clock, Hold, Log, Placement, Reporter } from '../ports.ts';
import type { Change, Checkpoint, ClaimRoom, Settings, SharedState } from '../store.ts';
import { CreationBreaker } from './creation-breaker.ts';
import { FoundLimit } from './found-limit.ts';
import { NamedRows } from './named-rows.ts';
import type { SteeringNews } from './steering.ts';

export interface SubmissionOptions {
  readonly policy: Policy;
  /** False for `collect`: nothing that costs points is sent. */
  readonly submits: boolean;
  /** Ids of the only rows to submit, or null for all. */
  readonly only: readonly string[] | null;
  /** Null where this process alone has the run. */
  readonly shared?: { readonly placement: Pick<Placement, 'slices' | 'isKeeper'> } | null;
}

export interface SubmissionPorts {
  readonly clock: Clock;
  readonly checkpoint: Checkpoint;
  readonly settings: Settings;
  readonly reporter: Reporter;
  readonly log: Log;
}

/** Times are steady ms, except in a `Hold`. */
export class Submissions {
  readonly #options: SubmissionOptions;
  readonly #ports: SubmissionPorts;
  /** Receives how creations end. */
  readonly breaker: CreationBreaker;
  readonly #found: FoundLimit;
  /** Why submitting ended for this run, whatever else happens. */
  #closed: Extract<EndingReason, 'points-cap' | 'unpriced' | 'halt'> | null = null;
  /** The store of a shared run is an older copy; null while it is not. */
  #olderStore: string | null = null;
  /** Some row waits and may be submitted. */
  #hasPending = true;
  /** The budget has no room until something changes. */
  #waitsForBudget = false;
  #places: readonly UncertainPlace[] = [];
  #submittedRows = 0;
  /** Keys of the rows whose creation this process has in flight. */
  readonly #submitting = new Set<number>();
  /** The run as a whole had no room: not before this time (steady ms). */
  #roomNotBefore = Number.NEGATIVE_INFINITY;
  /** Keys of the items completed at the service in this run that wait for their files. */
  readonly #fetching = new Set<number>();
  /** Null where all rows may be submitted. */
  #named: NamedRows | null = null;
  /** Items with their video whose points are requested again, by key. */
  readonly #asked = new Map<number, Item>();
  #badCount = 0;
  #hasWarnedOfBudget = false;
  /** The user's pause, and whether it held when it was last asked about. */
  #pause: Pause | null = null;
  #wasPaused = false;
  /** The last change of the steering that this process knows. */
  #steering = 0;
  /** Rows submitted before the limit was tuned: it counts from then on. */
  #submittedBefore = 0;

  constructor(options: SubmissionOptions, ports: SubmissionPorts) {
    this.#options = options;
    this.#ports = ports;
    this.#found = new FoundLimit(ports);
    this.breaker = new CreationBreaker(ports, options, {
      decides: () => this.#decidesLimit,
      decided: (limit) => this.#saveLimit(limit),
    });
  }

  get #policy(): Policy {
    return this.#options.policy;
  }

  /**
   * Loads what earlier runs left: uncertain creations that may still hold a slot, waiting rows, and a requested pause.
   */
  async recover(): Promise<void> {
    const { checkpoint, clock } = this.#ports;
    this.#places = await checkpoint.uncertainPlaces();
    const { only } = this.#options;
    if (only !== null) this.#named = new NamedRows(only, await checkpoint.itemsWithIds(only, 'inFile'));
    this.#hasPending = await checkpoint.hasPending(only);
    await this.adoptLimit();
    if (this.#policy.searchFrom !== null && this.#decidesLimit && this.#options.submits)
      this.#saveLimit(this.concurrency);
    const leftMs = pauseLeftMs(await checkpoint.pausedUntil(), clock.now());
    if (leftMs === 0) return;
    this.breaker.resumePause(leftMs);
  }

  /** Tasks that may be open at once now: what the user gave, or what the search has found. */
  get concurrency(): number {
    return concurrencyNow(this.breaker.state, this.#policy);
  }

  /** One process of a run decides the concurrency that the search finds. */
  get #decidesLimit(): boolean {
    return this.#options.shared?.placement.isKeeper ?? true;
  }

  #saveLimit(limit: number): void {
    const { clock, log } = this.#ports;
    log.info({ concurrency: limit }, 'the concurrency has changed');
    this.#found.save(limit, clock.now(), this.#policy);
  }

  /** Takes over the concurrency that an earlier process, or another one of the run, has found. */
  async adoptLimit(): Promise<void> {
    if (this.#policy.searchFrom === null) return;
    const limit = await this.#found.read(this.#policy);
    if (limit !== null) this.breaker.adoptLimit(limit);
  }

  /** The same from the process that decides it, if this is another one. */
  async followLimit(): Promise<void> {
    if (!this.#decidesLimit) await this.adoptLimit();
  }

  /** Resolves when what was found is saved. */
  limitSaved(): Promise<void> {
    return this.#found.idle();
  }

  /** Looks again at what other processes have changed. */
  async reload(): Promise<void> {
    const { checkpoint } = this.#ports;
    this.#places = await checkpoint.uncertainPlaces();
    this.#hasPending = await checkpoint.hasPending(this.#options.only);
    this.#waitsForBudget = false;
  }

  /** The pending items that may be submitted now; none while there is no room. */
  async choose(ledger: Ledger): Promise<readonly Item[]> {
    if (!this.#mayGo() || this.breaker.state.probe === 'due') return [];
    const room = decideRoom(this.#policy, ledger, this.#slots(ledger, this.#places));
    if (room === 0) return [];
    const candidates = await this.#candidates(room);
    if (candidates.length === 0) {
      this.#hasPending = await this.#ports.checkpoint.hasPending(this.#options.only);
      // The pending rows are in the slices of others, who may die.
      this.waitForOthers();
    }
    const affordable = decideAffordable(this.#policy, this.#withAsked(ledger), candidates);
    if (affordable === 0 && candidates.length > 0) this.#waitForBudget(ledger);
    return candidates.slice(0, affordable);
  }

  /**
   * How many of the chosen items may still be submitted, now that their claims are saved with these changes: a found
   * open task, or new points, may have taken their room.
   */
  admit(chosen: readonly Item[], changes: readonly Change[], ledger: Ledger): number {
    if (!this.#mayGo()) return 0;
    const next = changes.length === 0 ? ledger : copyLedger(ledger);
    let places = this.#places;
    for (const { before, after } of changes) {
      applyChange(next, before, after);
      places = placesAfter(places, before, after);
    }
    const room = decideRoom(this.#policy, next, this.#slots(next, places));
    return decideAffordable(this.#policy, this.#withAsked(next), chosen.slice(0, room));
  }

  /** True when the service must be probed before a row is sent. */
  get wantsProbe(): boolean {
    return this.breaker.state.probe === 'due' && this.#mayGo();
  }

  /** Somebody looked whether the run was tuned or paused. */
  steer({ number, pause }: Pick<SteeringNews, 'number' | 'pause'>): void {
    this.#steering = number;
    this.#pause = pause;
  }

  /**
   * The policy, which is one object for the whole run, has other numbers now: submitting that had ended for the old ones goes
   * on. It was `before`; `isLimitNew` where the limit counts from now on.
   */
  noteTuned(before: Policy, isLimitNew: boolean): void {
    this.breaker.noteTuned(before);
    this.#waitsForBudget = false;
    this.#hasWarnedOfBudget = false;
    if (this.#closed === 'points-cap' || this.#closed === 'unpriced') this.#closed = null;
    // The limit of a shared run is saved as a number of rows of the whole round.
    if (isLimitNew && this.#options.shared == null) this.#submittedBefore = this.#submittedRows;
  }

  /** The user's pause of submitting, as of now; null for none. */
  get pause(): Pause | null {
    return pauseAt(this.#pause, this.#ports.clock.now());
  }

  /** True while rows wait only for room. */
  #mayGo(): boolean {
    return (
      this.#isOpen() &&
      this.pause === null &&
      this.#hasPending &&
      !this.#waitsForBudget &&
      this.#ports.clock.steady() >= Math.max(this.breaker.state.notBefore, this.#roomNotBefore)
    );
  }

  async #candidates(limit: number): Promise<readonly Item[]> {
    const { checkpoint } = this.#ports;
    const { shared = null } = this.#options;
    const slices = shared === null ? null : [...shared.placement.slices];
    if (this.#named === null) return checkpoint.pendingItems({ limit, only: null, slices });
    const found: Item[] = [];
    for (const only of this.#named.pages()) {
      found.push(...(await checkpoint.pendingItems({ limit: limit - found.length, only, slices })));
      if (found.length === limit) break;
    }
    return found;
  }

  #slots(ledger: Ledger, places: readonly UncertainPlace[]) {
    const { window } = this.breaker.state;
    const openLimit = this.#mostOpen;
    const uncertain = heldByUncertain(places, ledger, this.#ports.clock.now()).length;
    const [submittedRows, fetching] = [this.#submittedNow, this.#fetching.size];
    const inFlight = this.#isFlightOwn ? this.#submitting.size : ledger.counts.submitting;
    return { window, inFlight, openLimit, uncertain, submittedRows, fetching };
  }

  /** How many tasks may be open at once now, as far as the service takes them. */
  get #mostOpen(): number {
    return mostOpen(this.breaker.state, this.#policy);
  }

  /** Rows submitted that the limit counts. */
  get #submittedNow(): number {
    return this.#submittedRows - this.#submittedBefore;
  }

  /** Until the service has shown that it is well, all processes of the run share one window. */
  get #isFlightOwn(): boolean {
    return this.#options.shared != null && this.breaker.state.window >= fixed.creationsInFlight;
  }

  /** The room that claims must find in the run as a whole. */
  room(at: number, { creations, lastFact }: Pick<ClaimRoom, 'creations' | 'lastFact'>): ClaimRoom {
    const { concurrency, limit, maxPoints, pollIntervalMs, requestTimeoutMs } = this.#policy;
    const { window } = this.breaker.state;
    return {
      held: concurrency,
      open: this.#mostOpen,
      submitting: this.#isFlightOwn ? null : window,
      submitted: limit,
      points: maxPoints,
      pricedLateSince: at - fixed.priceTicks * pollIntervalMs,
      creations,
      lastFact,
      steering: this.#steering,
      answerBy: at + fixed.sendWindowMs + requestTimeoutMs + fixed.answerMarginMs,
      at,
    };
  }

  /** Submits nothing while there is a reason not to. */
  holdBack(failure: string | null): void {
    if (failure !== null && this.#olderStore === null && this.#options.submits)
      this.#ports.reporter.warn(`${failure}; nothing more is submitted`);
    this.#olderStore = failure;
  }

  /** Other processes have the room, or the rows: looks again when they may have changed. */
  waitForOthers(): void {
    if (this.#options.shared == null) return;
    this.#roomNotBefore = this.#ports.clock.steady() + fixed.sharedLookMs;
  }

  /** What all processes of the run did in this round. */
  noteShared({ submittedRows, badRows }: Pick<SharedState, 'submittedRows' | 'badRows'>): void {
    this.#submittedRows = submittedRows;
    this.#badCount = badRows;
    this.#haltIfBad();
  }

  /**
   * Nothing fits the budget. Open tasks may turn out cheaper than reserved, or show a price; without any, submitting
   * ends.
   */
  #waitForBudget(ledger: Ledger): void {
    const end = budgetEnd(ledger, this.#asked.size);
    if (end === null) {
      this.#waitsForBudget = true;
      return;
    }
    this.#closed = end;
    this.#ports.reporter.warn(`${renderBudgetEnd(end, ledger)}; nothing more is submitted`);
  }

  /** The points of an item with its video are requested again, or no longer. */
  noteAsked(item: Item, isAsked: boolean): void {
    if (isAsked) this.#asked.set(item.key, item);
    else if (this.#asked.delete(item.key)) this.#waitsForBudget = false;
  }

  /** Reserves points that are being requested: a 0 may not be final. Unknown points are reserved anyway. */
  #withAsked(ledger: Ledger): Ledger {
    if (this.#asked.size === 0 || this.#policy.maxPoints === null) return ledger;
    const next = copyLedger(ledger);
    for (const { quality, points } of this.#asked.values()) {
      if (points === null) continue;
      const asked = effectiveQuality(quality);
      next.reserving.set(asked, (next.reserving.get(asked) ?? 0) + 1);
    }
    return next;
  }

  /** An item changed. */
  note(before: Item, after: Item, ledger: Ledger): void {
    // A new price, too, may make room or show that there is none.
    this.#waitsForBudget = false;
    if (before.status === after.status) return;
    if (after.status === 'pending') {
      this.#hasPending = true;
      if (before.status === 'submitting') this.#submittedRows -= 1;
    }
    if (after.status === 'submitting') {
      this.#submittedRows += 1;
      this.#submitting.add(after.key);
    } else this.#submitting.delete(after.key);
    if (before.status === 'open' && after.status === 'downloading') this.#fetching.add(after.key);
    else this.#fetching.delete(after.key);
    this.#named?.note(after);
    this.#places = placesAfter(this.#places, before, after);
    if (after.status === 'lost') this.breaker.noteLost(after.failure);
    this.#noteBad(before, after);
    this.#warnOfBudget(ledger);
  }

  #noteBad(before: Item, after: Item): void {
    if (!badStatuses.has(after.status) || badStatuses.has(before.status)) return;
    this.#badCount += 1;
    this.#haltIfBad();
  }

  #haltIfBad(): void {
    const { haltAfter } = this.#policy;
    if (haltAfter === null || this.#badCount < haltAfter || this.#closed !== null || !this.#options.submits)
      return;
    this.#closed = 'halt';
    this.#ports.reporter.warn(`${this.#badCount} rows ended badly; nothing more is submitted (--halt)`);
  }

  #warnOfBudget(ledger: Ledger): void {
    if (this.#hasWarnedOfBudget || !isBudgetNear(this.#policy, ledger)) return;
    this.#hasWarnedOfBudget = true;
    const { maxPoints } = this.#policy;
    this.#ports.reporter.warn(`spent and reserved points have reached 80 % of the cap of ${maxPoints}`);
  }

  /** Time has passed. */
  noteTime(ledger: Ledger): void {
    const isPaused = this.pause !== null;
    if (this.#wasPaused && !isPaused) this.breaker.noteRest();
    this.#wasPaused = isPaused;
    // Patience with the service is for what was sent to it.
    if (this.#isOpen() && !isPaused) this.breaker.noteTime(ledger);
  }

  #isOpen(): boolean {
    const isHeldBack = this.#closed !== null || this.#olderStore !== null;
    return this.#options.submits && !isHeldBack && this.breaker.state.stopped === null;
  }

  /** True when no row will be submitted unless something else happens first. */
  isExhausted(ledger: Ledger): boolean {
    return !this.#isOpen() || !this.#hasPending || this.#isLimitReached() || ledger.counts.pending === 0;
  }

  #isLimitReached(): boolean {
    const { limit } = this.#policy;
    return limit !== null && this.#submittedNow >= limit;
  }

  /** Pending rows that will be submitted, regardless of the budget. */
  toSubmit(ledger: Ledger): number {
    if (!this.#isOpen()) return 0;
    const { limit } = this.#policy;
    const pending = this.#named?.waitingCount ?? ledger.counts.pending;
    const allowed = limit === null ? pending : limit - this.#submittedNow;
    return Math.max(0, Math.min(pending, allowed));
  }

  /** What keeps pending rows from being submitted now, other than a lack of slots; null for nothing. */
  hold(ledger: Ledger): Hold | null {
    if (!this.#isOpen() || (this.#isLimitReached() && ledger.counts.pending > 0))
      return { why: 'closed', reason: this.ending(ledger).reason };
    if (this.toSubmit(ledger) === 0) return null;
    const { pause } = this;
    if (pause !== null) return { why: 'paused', until: pause.until };
    if (this.#waitsForBudget) return { why: 'budget' };
    if (this.#fetching.size >= longestDownloadLine(this.#policy)) return { why: 'downloads' };
    const { clock } = this.#ports;
    const { notBefore, probe, failure } = this.breaker.state;
    const leftMs = notBefore - clock.steady();
    if (leftMs > 0) return { why: 'pause', until: clock.now() + leftMs, failure };
    if (probe === 'due') return { why: 'probe' };
    const { concurrency } = this.#policy;
    const held = heldByAll(this.#places, ledger, concurrency, clock.now());
    if (held !== null) return { why: 'uncertain', until: held.at, id: held.id };
    return holdByService(ledger, this.#mostOpen, this.#policy);
  }

  /** Until when some uncertain row may still be an open task (epoch ms); null for none. */
  uncertainUntil(ledger: Ledger): number | null {
    const held = heldByUncertain(this.#places, ledger, this.#ports.clock.now());
    return held.length === 0 ? null : Math.max(...held.map(({ at }) => at)) + uncertainHoldMs(ledger);
  }

  /** When to check again without an event (steady ms); infinite when only an event can help. */
  wakeAt(ledger: Ledger): number {
    if (this.isExhausted(ledger)) return Number.POSITIVE_INFINITY;
    const { clock } = this.#ports;
    const { pause } = this;
    if (pause !== null)
      return pause.until === null ? Number.POSITIVE_INFINITY : clock.steady() + pause.until - clock.now();
    if (this.#waitsForBudget) return Number.POSITIVE_INFINITY;
    const { notBefore } = this.breaker.state;
    const patientUntil = this.breaker.patientUntil(ledger);
    if (decideRoom(this.#policy, ledger, this.#slots(ledger, this.#places)) > 0)
      return Math.min(Math.max(notBefore, this.#roomNotBefore), patientUntil);
    const free = firstFree(heldByUncertain(this.#places, ledger, clock.now()), ledger);
    const freeAt = free === null ? Number.POSITIVE_INFINITY : clock.steady() + free.at - clock.now();
    return Math.min(Math.max(notBefore, freeAt), patientUntil);
  }

  /** Why rows were left when the run ended; `done` for reasons outside this file. */
  ending(ledger: Ledger): { readonly reason: EndingReason; readonly failure: string | null } {
    if (!this.#options.submits) return { reason: 'collected', failure: null };
    if (this.#closed !== null) return { reason: this.#closed, failure: null };
    if (this.#olderStore !== null) return { reason: 'older-store', failure: this.#olderStore };
    if (this.breaker.state.stopped !== null)
      return { reason: this.breaker.state.stopped, failure: this.breaker.state.failure };
    const isLimited = this.#isLimitReached() && ledger.counts.pending > 0;
    return { reason: isLimited ? 'limit' : 'done', failure: null };
  }
}

/** The service accepts fewer tasks at once than the user asked for. A search shows its number anyway. */
function holdByService({ counts }: Ledger, most: number, { concurrency, searchFrom }: Policy): Hold | null {
  const open = counts.submitting + counts.open;
  return searchFrom === null && most < concurrency && open >= most ? { why: 'service', open } : null;
}

/** The budget, for people: what holds it, or why it cannot be guaranteed. */
function renderBudgetEnd(end: 'points-cap' | 'unpriced', ledger: Ledger): string {
  if (end === 'unpriced') {
    const qualities = unpricedQualities(ledger).join(' and ');
    return `the service has not said what a task of quality ${qualities} costs, so --max-points cannot be guaranteed`;
  }
  const reserved = reservedPoints(ledger) ?? 0;
  const held = reserved === 0 ? '' : `, ${reserved} more reserved by tasks that may still be charged`;
  return `the points cap is reached (${ledger.spent} spent${held})`;
}
