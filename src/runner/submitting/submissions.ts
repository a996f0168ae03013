/**
 * Decides which pending rows become creations, and when: slots, budget, limit, pauses and circuit breaker in one place.
 */

import { type Message, message } from '../../messages/message.ts';
import type { Breaker } from '../../money/circuit-breaker.ts';
import type { Item, ItemEvent } from '../../money/item.ts';
import { concurrencyNow, mostOpen } from '../../money/open-limit.ts';
import { fixed, type Policy } from '../../money/policy.ts';
import { hasMark, statusesWith } from '../../money/statuses.ts';
import { type Pause, pauseAt } from '../../money/steering.ts';
import {
  applyChange,
  copyLedger,
  type EndingReason,
  effectiveQuality,
  expectedPoints,
  type Ledger,
  mayBePricedLate,
  noteLargest,
  reservedPoints,
} from '../../money/summary.ts';
import {
  budgetEnd,
  decideAffordable,
  decideRoom,
  firstFree,
  heldByUncertain,
  longestDownloadLine,
  mostlyHeld,
  nearBudget,
  pauseLeftMs,
  placesAfter,
  type UncertainPlace,
  uncertainHoldMs,
  unpricedQualities,
} from '../../money/tick.ts';
import type { Hold } from '../../ports.ts';
import type { Change, ClaimRoom } from '../../stores/port/checkpoint.ts';
import type { SharedState } from '../../stores/port/sharing.ts';
import type { RunContext, RunnerOptions, RunnerPorts } from '../context.ts';
import { Deliveries } from '../downloading/deliveries.ts';
import { askPrice, type Entry } from '../entry.ts';
import type { SteeringNews } from '../steering.ts';
import { CreationBreaker } from './creation-breaker.ts';
import { FoundLimit } from './found-limit.ts';
import { NamedRows } from './named-rows.ts';
import type { RefusedRows } from './refused-rows.ts';

/** Times are steady ms, except in a `Hold`. */
export class Submissions {
  readonly #options: RunnerOptions;
  readonly #ports: RunnerPorts;
  readonly #refused: RefusedRows;
  /** Receives how creations end. */
  readonly breaker: CreationBreaker;
  readonly #deliveries: Deliveries;
  readonly #found: FoundLimit;
  /** Why submitting ended for this run, whatever else happens. */
  #closed: Extract<EndingReason, 'points-cap' | 'unpriced' | 'halt'> | null = null;
  /** The store of a shared run is an older copy; null while it is not. */
  #olderStore: string | null = null;
  /** Some row waits and may be submitted. */
  #hasPending = true;
  /** The budget has no room until something changes. */
  #waitsForBudget = false;
  /** The rows in question where no other waits: the end of a creation on its way says more. */
  #onlyInQuestion: Breaker['inQuestion'] | null = null;
  #places: readonly UncertainPlace[] = [];
  #submittedRows = 0;
  /** The run as a whole had no room: not before this time (steady ms). */
  #roomNotBefore = Number.NEGATIVE_INFINITY;
  /** Keys of the items completed at the service in this run that wait for their files. */
  readonly #fetching = new Set<number>();
  /** Null where all rows may be submitted. */
  #named: NamedRows | null = null;
  /** Waiting rows of the retry whose rows alone are submitted; null where there is none. */
  #ordered: number | null = null;
  /** Items with their video whose points are requested again, by key. */
  readonly #asked = new Map<number, Entry>();
  #badCount = 0;
  #hasWarnedOfBudget = false;
  /** The user's pause. */
  #pause: Pause | null = null;
  /** When time was noted last, the user had paused submitting, or nothing was to be sent. */
  #wasAtRest = false;
  /** The last change of the steering that this process knows. */
  #steering = 0;
  /** Rows submitted before the limit was tuned: it counts from then on. */
  #submittedBefore = 0;

  constructor({ options, ports }: RunContext, refused: RefusedRows) {
    this.#options = options;
    this.#ports = ports;
    this.#refused = refused;
    this.#deliveries = new Deliveries(ports.reporter, options);
    this.#found = new FoundLimit(ports);
    this.breaker = new CreationBreaker(ports, options, {
      decides: () => this.#decidesLimit,
      decided: (limit) => this.#saveLimit(limit),
      judged: (verdicts) => refused.judge(verdicts),
    });
  }

  get #policy(): Policy {
    return this.#options.policy;
  }

  /**
   * Loads what earlier runs left: uncertain creations that may still hold a slot, waiting rows, and a requested pause.
   */
  async recover(ledger: Ledger): Promise<void> {
    const { checkpoint, clock } = this.#ports;
    this.#deliveries.begin(ledger);
    if (this.#options.isSameService === true && hadTasks(ledger)) this.breaker.noteKnownBefore();
    const hasAlike = (await checkpoint.refusedAlike(1)).length > 0;
    if (hasAlike) this.breaker.noteAlike();
    this.#places = await checkpoint.uncertainPlaces();
    const { only } = this.#options;
    if (only !== null) this.#named = new NamedRows(only, await checkpoint.itemsWithIds(only, 'inFile'));
    await this.#lookForPending();
    if (hasAlike && !this.#hasPending && this.#isOpen()) this.#refused.judge([{ type: 'try' }]);
    await this.adoptLimit();
    if (this.#policy.searchFrom !== null && this.#decidesLimit && this.#options.submits)
      this.#saveLimit(this.concurrency);
    const leftMs = pauseLeftMs(await checkpoint.pausedUntil(), clock.now());
    if (leftMs === 0) return;
    this.breaker.resumePause(leftMs);
    if (this.#isOpen() && this.#hasPending)
      this.#ports.reporter.note(message('submitting.paused-before', { minutes: Math.ceil(leftMs / 60_000) }));
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
    await this.#lookForPending();
    this.#waitsForBudget = false;
    this.#onlyInQuestion = null;
  }

  async #lookForPending(): Promise<void> {
    const { checkpoint } = this.#ports;
    const { only, retry = null } = this.#options;
    this.#hasPending = await checkpoint.hasPending({ only, retry });
    if (retry !== null) this.#ordered = await checkpoint.orderedCount(retry);
  }

  /** The pending items that may be submitted now; none while there is no room. */
  async choose(ledger: Ledger): Promise<readonly Item[]> {
    if (!this.#mayGo() || this.breaker.state.probe === 'due') return [];
    const room = decideRoom(this.#policy, ledger, this.#slots(ledger, this.#places));
    if (room === 0) return [];
    const candidates = await this.#candidates(room);
    if (candidates.length === 0) {
      this.#noteLastRows(ledger);
      await this.#lookForPending();
      const { inQuestion } = this.breaker.state;
      // Processes of a shared run look again in a while.
      if (this.#options.shared == null && ledger.counts.submitting > 0 && inQuestion.length > 0)
        this.#onlyInQuestion = inQuestion;
      // The pending rows are in the slices of others, who may die.
      this.waitForOthers();
    }
    const affordable = decideAffordable(this.#policy, this.#withAsked(ledger), candidates);
    if (affordable === 0 && candidates.length > 0) this.#waitForBudget(ledger);
    return candidates.slice(0, affordable);
  }

  /** Where only rows wait that were barred, no other can show why. */
  #noteLastRows(ledger: Ledger): void {
    const { inQuestion } = this.breaker.state;
    // Those of other processes may be in their slices.
    const isLast = this.#options.shared == null || inQuestion.length >= ledger.counts.pending;
    if (isLast && ledger.counts.submitting === 0) this.breaker.noteLastRows();
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
      !this.#waitsForVerdict &&
      this.#ports.clock.steady() >= Math.max(this.breaker.state.notBefore, this.#roomNotBefore)
    );
  }

  /** Without it, one turn would follow the other until the creation on its way is answered. */
  get #waitsForVerdict(): boolean {
    return this.#onlyInQuestion === this.breaker.state.inQuestion;
  }

  /** Waiting rows, without those of which nobody knows yet why they were barred. */
  async #candidates(limit: number): Promise<readonly Item[]> {
    const inQuestion = new Set(this.breaker.state.inQuestion.map(({ id }) => id));
    const found = await this.#waiting(limit + inQuestion.size);
    return found.filter(({ id }) => !inQuestion.has(id)).slice(0, limit);
  }

  async #waiting(limit: number): Promise<readonly Item[]> {
    const { checkpoint } = this.#ports;
    const { shared = null } = this.#options;
    const slices = shared === null ? null : [...shared.placement.slices];
    const { retry = null } = this.#options;
    if (this.#named === null) return checkpoint.pendingItems({ only: null, retry, limit, slices });
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
    const holdMs = uncertainHoldMs(ledger, this.#policy);
    const uncertain = heldByUncertain(places, holdMs, this.#ports.clock.now()).length;
    const [submittedRows, fetching] = [this.#submittedNow, this.#fetching.size];
    const deliverable = this.#deliveries.room(ledger);
    return { window, openLimit, uncertain, submittedRows, fetching, deliverable };
  }

  /** How many tasks may be open at once now, as far as the service takes them. */
  get #mostOpen(): number {
    return mostOpen(this.breaker.state, this.#policy);
  }

  /** Rows submitted that the limit counts. */
  get #submittedNow(): number {
    return this.#submittedRows - this.#submittedBefore;
  }

  /** The room that claims must find in the run as a whole. */
  room(
    at: number,
    {
      round,
      creations,
      lastSent,
      lastFact,
    }: Pick<ClaimRoom, 'round' | 'creations' | 'lastSent' | 'lastFact'>,
  ): ClaimRoom {
    const { concurrency, limit, maxPoints, requestTimeoutMs, taskTimeoutMs } = this.#policy;
    const { window } = this.breaker.state;
    return {
      held: concurrency,
      mostHoldMs: taskTimeoutMs,
      open: this.#deliveries.isDoubtful ? Math.min(1, this.#mostOpen) : this.#mostOpen,
      // One window for all processes of the run: an outage costs no more uncertain rows where more of them work.
      submitting: window,
      submitted: limit,
      points: maxPoints,
      pricedLateSince: at - fixed.priceSettleMs,
      creations,
      lastSent,
      lastFact,
      round,
      steering: this.#steering,
      answerBy: at + fixed.sendWindowMs + requestTimeoutMs + fixed.answerMarginMs,
      at,
    };
  }

  /** Submits nothing while there is a reason not to. */
  holdBack(failure: string | null): void {
    if (failure !== null && this.#olderStore === null && this.#options.submits)
      this.#ports.reporter.warn(message('submitting.none', { failure }));
    this.#olderStore = failure;
  }

  /** Other processes have the room, or the rows: looks again when they may have changed. */
  waitForOthers(): void {
    if (this.#options.shared == null) return;
    this.#roomNotBefore = this.#ports.clock.steady() + fixed.sharedLookMs;
  }

  /** What all processes of the run did in this round. */
  noteShared({
    ledger,
    submittedRows,
    badRows,
  }: Pick<SharedState, 'ledger' | 'submittedRows' | 'badRows'>): void {
    this.#deliveries.noteShared(ledger);
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
    this.#ports.reporter.warn(budgetMessage(end, ledger));
  }

  /** Polls a completed row at some more ticks if its points may come late. */
  askPrice(entry: Entry): void {
    if (entry.item.points === null) entry.isPriced = false;
    const isAsked = mayBePricedLate(entry.item) && !entry.isPriced;
    if (isAsked && entry.item.status === 'completed') askPrice(entry, this.#options.submits);
    else entry.price = null;
    if (isAsked) this.#asked.set(entry.item.key, entry);
    else this.forget(entry);
  }

  /** The points of this item are requested no longer. */
  forget(entry: Entry): void {
    if (this.#asked.delete(entry.item.key)) this.#waitsForBudget = false;
  }

  /**
   * Reserves points that are being requested: a 0 may not be final. Unknown points are reserved anyway. What is said of them, if
   * it is more than was ever charged, all open tasks may cost.
   */
  #withAsked(ledger: Ledger): Ledger {
    if (this.#asked.size === 0 || this.#policy.maxPoints === null) return ledger;
    const next = copyLedger(ledger);
    for (const { item, price } of this.#asked.values()) {
      const asked = effectiveQuality(item.quality);
      if (expectedPoints(next, asked) !== null) noteLargest(next, asked, price?.said ?? 0);
      if (item.points !== null) next.reserving.set(asked, (next.reserving.get(asked) ?? 0) + 1);
    }
    return next;
  }

  /** Something happened to an item, which may change it. */
  hear(event: ItemEvent): void {
    this.#deliveries.hear(event);
  }

  /** An item changed. */
  note(before: Item, after: Item, ledger: Ledger): void {
    // A new price, too, may make room or show that there is none.
    this.#waitsForBudget = false;
    this.#onlyInQuestion = null;
    this.#deliveries.note(before, after, ledger);
    if (before.status === after.status) return;
    if (after.status === 'pending') {
      this.#hasPending = true;
      if (before.status === 'submitting') this.#noteSubmitted(-1);
    }
    if (after.status === 'submitting') {
      this.#noteSubmitted(1);
    }
    if (before.status === 'open' && after.status === 'downloading') this.#fetching.add(after.key);
    else this.#fetching.delete(after.key);
    this.#named?.note(after);
    this.#places = placesAfter(this.#places, before, after);
    if (after.status === 'lost') this.breaker.noteLost(after.failure);
    this.#noteBad(before, after);
    this.#warnOfBudget(ledger);
  }

  #noteSubmitted(count: 1 | -1): void {
    this.#submittedRows += count;
    if (this.#ordered !== null) this.#ordered -= count;
  }

  #noteBad(before: Item, after: Item): void {
    if (!hasMark(after.status, 'bad') || hasMark(before.status, 'bad')) return;
    this.#badCount += 1;
    this.#haltIfBad();
  }

  #haltIfBad(): void {
    const { haltAfter } = this.#policy;
    if (haltAfter === null || this.#badCount < haltAfter || this.#closed !== null || !this.#options.submits)
      return;
    this.#closed = 'halt';
    this.#ports.reporter.warn(message('submitting.halt', { count: this.#badCount }));
  }

  #warnOfBudget(ledger: Ledger): void {
    const near = this.#hasWarnedOfBudget ? null : nearBudget(this.#policy, ledger);
    if (near === null) return;
    this.#hasWarnedOfBudget = true;
    this.#ports.reporter.warn(message('budget.near', near));
  }

  /** Time has passed. */
  noteTime(ledger: Ledger): void {
    // Patience with the service is for what is sent to it.
    const isAtRest = this.pause !== null || this.#hasNothingToSend(ledger);
    if (this.#wasAtRest && !isAtRest) this.breaker.noteRest();
    this.#wasAtRest = isAtRest;
    if (this.#isOpen() && !isAtRest) this.breaker.noteTime(ledger);
  }

  #isOpen(): boolean {
    const isHeldBack =
      this.#closed !== null || this.#olderStore !== null || this.#deliveries.stopped !== null;
    return this.#options.submits && !isHeldBack && this.breaker.state.stopped === null;
  }

  /** True when no row will be submitted unless something else happens first. */
  isExhausted(ledger: Ledger): boolean {
    return !this.#isOpen() || this.#lacksRows(ledger);
  }

  #lacksRows({ counts }: Ledger): boolean {
    return !this.#hasPending || this.#isLimitReached() || counts.pending === 0;
  }

  /** A row on its way may come back, refused. */
  #hasNothingToSend(ledger: Ledger): boolean {
    return this.#lacksRows(ledger) && ledger.counts.submitting === 0;
  }

  #isLimitReached(): boolean {
    const { limit } = this.#policy;
    return limit !== null && this.#submittedNow >= limit;
  }

  /** Pending rows that will be submitted, regardless of the budget. */
  toSubmit(ledger: Ledger): number {
    if (!this.#isOpen()) return 0;
    const { limit } = this.#policy;
    const pending = this.#named?.waitingCount ?? this.#ordered ?? ledger.counts.pending;
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
    if (this.#fetching.size >= longestDownloadLine(this.#policy) || this.#deliveries.room(ledger) === 0)
      return { why: 'downloads' };
    const { clock } = this.#ports;
    const { notBefore, probe, failure } = this.breaker.state;
    const leftMs = notBefore - clock.steady();
    if (leftMs > 0) return { why: 'pause', until: clock.now() + leftMs, failure };
    if (probe === 'due') return { why: 'probe' };
    const held = mostlyHeld(this.#places, ledger, this.#policy, clock.now());
    if (held !== null) return { why: 'uncertain', ...held };
    return holdByService(ledger, this.#mostOpen, this.#policy);
  }

  /** Until when some uncertain row may still be an open task (epoch ms); null for none. */
  uncertainUntil(ledger: Ledger): number | null {
    const holdMs = uncertainHoldMs(ledger, this.#policy);
    const held = heldByUncertain(this.#places, holdMs, this.#ports.clock.now());
    return held.length === 0 ? null : Math.max(...held.map(({ at }) => at)) + holdMs;
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
    if (this.#waitsForVerdict) return patientUntil;
    if (decideRoom(this.#policy, ledger, this.#slots(ledger, this.#places)) > 0)
      return Math.min(Math.max(notBefore, this.#roomNotBefore), patientUntil);
    const holdMs = uncertainHoldMs(ledger, this.#policy);
    const free = firstFree(heldByUncertain(this.#places, holdMs, clock.now()), holdMs);
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
    if (this.#deliveries.stopped !== null && ledger.counts.pending > 0)
      return { reason: 'delivery-breaker', failure: this.#deliveries.stopped };
    const isLimited = this.#isLimitReached() && ledger.counts.pending > 0;
    return { reason: isLimited ? 'limit' : 'done', failure: null };
  }
}

/** True where the service has made a task for the run. */
function hadTasks({ counts }: Ledger): boolean {
  return statusesWith('made').some((status) => counts[status] > 0);
}

/** The service accepts fewer tasks at once than the user asked for. A search shows its number anyway. */
function holdByService({ counts }: Ledger, most: number, { concurrency, searchFrom }: Policy): Hold | null {
  const open = counts.submitting + counts.open;
  return searchFrom === null && most < concurrency && open >= most ? { why: 'service', open } : null;
}

/** What holds the budget, or why it cannot be guaranteed. */
function budgetMessage(end: 'points-cap' | 'unpriced', ledger: Ledger): Message {
  if (end === 'unpriced')
    return message('budget.unpriced', { qualities: unpricedQualities(ledger).join(' and ') });
  const reserved = reservedPoints(ledger) ?? 0;
  const { spent: points } = ledger;
  return reserved === 0
    ? message('budget.reached', { points })
    : message('budget.reserved', { points, reserved });
}
