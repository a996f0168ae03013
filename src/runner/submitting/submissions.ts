/**
 * Decides which pending rows become creations, and when. A row goes while submitting is open, neither paused nor waiting,
 * a row waits (`waiting-rows.ts`), and it has room (`room.ts`, `budget.ts`).
 */

import { message } from '../../messages/message.ts';
import { concurrencyNow } from '../../money/breakers/open-limit.ts';
import type { ItemEvent } from '../../money/event.ts';
import type { Item } from '../../money/item.ts';
import type { Policy } from '../../money/policy.ts';
import { statusesWith } from '../../money/statuses.ts';
import { type Pause, pauseAt } from '../../money/steering.ts';
import type { EndingReason, Ledger } from '../../money/summary.ts';
import { pauseLeftMs } from '../../money/tick.ts';
import type { Obstacle } from '../../ports.ts';
import type { Change, ClaimRoom } from '../../stores/port/checkpoint.ts';
import type { SharedState, StoreRefusal } from '../../stores/port/sharing.ts';
import type { RunContext, RunnerOptions, RunnerPorts } from '../context.ts';
import { Deliveries } from '../downloading/deliveries.ts';
import type { SteeringNews } from '../steering.ts';
import { Budget } from './budget.ts';
import { CreationBreaker } from './creation-breaker.ts';
import { FoundLimit } from './found-limit.ts';
import { Halt } from './halt.ts';
import type { RefusedRows } from './refused-rows.ts';
import { Room } from './room.ts';
import { WaitingRows } from './waiting-rows.ts';

/** Times are steady ms, except in a `Hold`. */
export class Submissions {
  readonly #options: RunnerOptions;
  readonly #ports: RunnerPorts;
  readonly #refused: RefusedRows;
  /** Receives how creations end. */
  readonly breaker: CreationBreaker;
  readonly budget: Budget;
  readonly room: Room;
  readonly #waiting: WaitingRows;
  readonly #deliveries: Deliveries;
  readonly #found: FoundLimit;
  readonly #halt: Halt;
  /** Why the store of a shared run takes no claims of this process; null while it does. */
  #refusal: StoreRefusal | null = null;
  /** The user's pause. */
  #pause: Pause | null = null;
  /** When time was noted last, the user had paused submitting, or nothing was to be sent. */
  #wasAtRest = false;
  /** The last change of the steering that this process knows. */
  #steering = 0;

  constructor(run: RunContext, refused: RefusedRows) {
    const { options, ports } = run;
    this.#options = options;
    this.#ports = ports;
    this.#refused = refused;
    this.#deliveries = new Deliveries(ports.reporter, options);
    this.#found = new FoundLimit(ports);
    this.breaker = new CreationBreaker(ports, options, {
      decides: () => this.#decidesLimit,
      save: (limit) => this.#saveLimit(limit),
      carryOut: (verdicts) => refused.judge(verdicts),
    });
    this.budget = new Budget(run);
    this.#halt = new Halt(run, this.budget);
    this.room = new Room(run, { breaker: this.breaker, budget: this.budget, deliveries: this.#deliveries });
    this.#waiting = new WaitingRows(run, this.breaker);
  }

  get #policy(): Policy {
    return this.#options.policy;
  }

  /**
   * Loads what earlier runs left: uncertain creations that may still occupy a slot, waiting rows, and a requested pause.
   */
  async recover(ledger: Ledger): Promise<void> {
    const { checkpoint, clock } = this.#ports;
    this.#deliveries.begin(ledger);
    if (this.#options.isSameService === true && hadTasks(ledger)) this.breaker.noteKnownBefore();
    const hasAlike = (await checkpoint.refusedAlike(1)).length > 0;
    if (hasAlike) this.breaker.noteAlike();
    await this.room.look();
    await this.#waiting.recover();
    if (hasAlike && !this.#waiting.hasAny && this.#isOpen()) this.#refused.judge([{ type: 'try' }]);
    await this.adoptLimit();
    if (this.#policy.searchFrom !== null && this.#decidesLimit && this.#options.submits)
      this.#saveLimit(this.concurrency);
    const leftMs = pauseLeftMs(await checkpoint.pausedUntil(), clock.now());
    if (leftMs === 0) return;
    this.breaker.resumePause(leftMs);
    if (this.#isOpen() && this.#waiting.hasAny)
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

  /** Adopts the concurrency that an earlier process, or another one of the run, has found. */
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
    await this.room.look();
    await this.#waiting.look();
    this.budget.noteNews();
  }

  /** The pending items that may be submitted now; none while there is no room. */
  async choose(ledger: Ledger): Promise<readonly Item[]> {
    if (!this.#mayGo() || this.breaker.state.probe === 'due') return [];
    const free = this.room.free(ledger);
    if (free === 0) return [];
    const candidates = await this.#waiting.next(free);
    if (candidates.length === 0) {
      await this.#waiting.noteNone(ledger);
      // The pending rows are in the slices of others, who may die.
      this.room.waitForOthers();
    }
    const affordable = this.budget.affordable(ledger, candidates);
    if (affordable === 0 && candidates.length > 0) this.budget.wait(ledger);
    return candidates.slice(0, affordable);
  }

  /**
   * How many of the chosen items may still be submitted, now that their claims are saved with these changes: a found
   * open task, or new points, may have used up their room.
   */
  admit(chosen: readonly Item[], changes: readonly Change[], ledger: Ledger): number {
    return this.#mayGo() ? this.room.admit(chosen, changes, ledger) : 0;
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
   * The policy, which is one object for the whole run, has other numbers now: submitting that had ended for the old ones
   * resumes. It was `before`; `isLimitNew` where the limit counts from now on.
   */
  noteTuned(before: Policy, isLimitNew: boolean): void {
    this.breaker.noteTuned(before);
    this.budget.noteTuned();
    // The limit of a shared run is saved as a number of rows of the whole round.
    if (isLimitNew && this.#options.shared == null) this.room.countAnew();
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
      this.#waiting.hasAny &&
      !this.budget.waits &&
      !this.#waiting.waitsForVerdict &&
      this.#ports.clock.steady() >= this.room.notBefore
    );
  }

  /** The room that claims must find in the run as a whole. */
  roomInRun(at: number, known: Pick<ClaimRoom, 'round' | 'creations' | 'lastSent' | 'lastFact'>): ClaimRoom {
    return this.room.inRun(at, { ...known, steering: this.#steering });
  }

  /** Submits nothing while the store takes no claims of this process. */
  suspend(refusal: StoreRefusal | null): void {
    if (refusal !== null && refusal.reason !== this.#refusal?.reason && this.#options.submits)
      this.#ports.reporter.warn(
        refusal.failure === null
          ? message('hold.closed', refusal)
          : message('submitting.none', { failure: refusal.failure }),
      );
    this.#refusal = refusal;
  }

  /** What all processes of the run did in this round. */
  noteShared({
    ledger,
    submittedRows,
    badRows,
  }: Pick<SharedState, 'ledger' | 'submittedRows' | 'badRows'>): void {
    this.#deliveries.noteShared(ledger);
    this.room.noteShared(submittedRows);
    this.#halt.noteShared(badRows);
  }

  /** Something happened to an item, which may change it. */
  noteEvent(event: ItemEvent): void {
    this.#deliveries.noteEvent(event);
  }

  /** An item changed. */
  note(before: Item, after: Item, ledger: Ledger): void {
    // A new price, too, may make room or show that there is none.
    this.budget.noteNews();
    this.#waiting.note(before, after);
    this.#deliveries.note(before, after, ledger);
    if (before.status === after.status) return;
    this.room.note(before, after);
    if (after.status === 'lost') this.breaker.noteLost(after.failure);
    this.#halt.note(before, after);
    this.budget.warnIfNear(ledger);
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
    const isClosed = this.#halt.isReached || this.budget.end !== null || this.#deliveries.stopped !== null;
    const isKeptBack = isClosed || this.#refusal !== null;
    return this.#options.submits && !isKeptBack && this.breaker.state.stopped === null;
  }

  /** True when no row will be submitted unless something else happens first. */
  isExhausted(ledger: Ledger): boolean {
    return !this.#isOpen() || this.#lacksRows(ledger);
  }

  #lacksRows({ counts }: Ledger): boolean {
    return !this.#waiting.hasAny || this.room.isLimitReached || counts.pending === 0;
  }

  /** A row on its way may come back, refused. */
  #hasNothingToSend(ledger: Ledger): boolean {
    return this.#lacksRows(ledger) && ledger.counts.submitting === 0;
  }

  /** Pending rows that will be submitted, regardless of the budget. */
  toSubmit(ledger: Ledger): number {
    return this.#isOpen() ? this.room.withinLimit(this.#waiting.count(ledger)) : 0;
  }

  /** What keeps pending rows from being submitted now, other than a lack of slots; null for nothing. */
  obstacle(ledger: Ledger): Obstacle | null {
    if (!this.#isOpen() || (this.room.isLimitReached && ledger.counts.pending > 0))
      return { why: 'closed', reason: this.ending(ledger).reason };
    if (this.toSubmit(ledger) === 0) return null;
    const { pause } = this;
    if (pause !== null) return { why: 'paused', until: pause.until };
    return this.room.obstacle(ledger);
  }

  /** When to check again without an event (steady ms); infinite when only an event can help. */
  wakeAt(ledger: Ledger): number {
    if (this.isExhausted(ledger)) return Number.POSITIVE_INFINITY;
    const { clock } = this.#ports;
    const { pause } = this;
    if (pause !== null)
      return pause.until === null ? Number.POSITIVE_INFINITY : clock.steady() + pause.until - clock.now();
    if (this.budget.waits) return Number.POSITIVE_INFINITY;
    const patientUntil = this.breaker.patientUntil(ledger);
    return this.#waiting.waitsForVerdict ? patientUntil : Math.min(this.room.freeAt(ledger), patientUntil);
  }

  /** Why rows were left when the run ended; `done` for reasons outside this file. */
  ending(ledger: Ledger): { readonly reason: EndingReason; readonly failure: string | null } {
    if (!this.#options.submits) return { reason: 'collected', failure: null };
    const closed = this.#halt.isReached ? 'halt' : this.budget.end;
    if (closed !== null) return { reason: closed, failure: null };
    if (this.#refusal !== null) return this.#refusal;
    if (this.breaker.state.stopped !== null)
      return { reason: this.breaker.state.stopped, failure: this.breaker.state.failure };
    if (this.#deliveries.stopped !== null && ledger.counts.pending > 0)
      return { reason: 'delivery-breaker', failure: this.#deliveries.stopped };
    const left = this.room.isLimitReached ? 'limit' : 'part';
    return { reason: ledger.counts.pending > 0 ? left : 'done', failure: null };
  }
}

/** True where the service has made a task for the run. */
function hadTasks({ counts }: Ledger): boolean {
  return statusesWith('made').some((status) => counts[status] > 0);
}
