/**
 * The loop of a run: when to submit and poll, and in what order to save and act.
 *
 * The law of this file: (1) events come in, (2) `transition` decides, (3) the change is committed to the checkpoint,
 * (4) only then its effects start, (5) an effect ends as an event, never as a change of state. Events that arrive together
 * are committed together, so durability costs one sync for all of them and not one per row.
 */

import { DiskError, type PlacesLeft, saidOf } from '../errors.ts';
import type { Said } from '../messages/message.ts';
import type { Effect, ItemEvent } from '../money/event.ts';
import type { Item, Status } from '../money/item.ts';
import { fixed, type Policy } from '../money/policy.ts';
import { type Subject, subjectOf } from '../money/subject.ts';
import { createLedger, type EndingReason, type Ledger } from '../money/summary.ts';
import type { Obstacle, RunView } from '../ports.ts';
import type { CommitExtras } from '../stores/port/checkpoint.ts';
import { noteChange } from './changes.ts';
import { Commits, type Saved } from './commits.ts';
import type { QueuedEvent, RunContext, RunnerOptions, RunnerPorts } from './context.ts';
import { Effects } from './effects.ts';
import { Ending, type RunEnding } from './ending.ts';
import { Entries } from './entries.ts';
import { type Entry, isNeeded, isPolled } from './entry.ts';
import { Inbox } from './inbox.ts';
import { Callbacks } from './late-answers/callbacks.ts';
import { LateAnswers } from './late-answers/late-answers.ts';
import { SupersededAttempts } from './late-answers/superseded-attempts.ts';
import { aloneIn, type RunPart } from './lone-run.ts';
import { Sweeps } from './polling/sweeps.ts';
import { Ticks } from './polling/ticks.ts';
import { Recovery } from './recovery.ts';
import { ServiceHealth } from './service-health.ts';
import { SharedRun } from './shared-run.ts';
import { SteeringLook, type SteeringNews } from './steering.ts';
import { Claims } from './submitting/claims.ts';
import { Pace } from './submitting/pace.ts';
import { RefusedRows } from './submitting/refused-rows.ts';
import { Submissions } from './submitting/submissions.ts';
import { Waiting } from './waiting.ts';

export class Runner implements RunView, RunContext {
  readonly ports: RunnerPorts;
  readonly options: RunnerOptions;
  readonly entries: Entries;
  readonly health: ServiceHealth;
  readonly #pace: Pace;
  readonly #sweeps: Sweeps;
  readonly #effects: Effects;
  readonly #refused: RefusedRows;
  readonly #submissions: Submissions;
  readonly #recovery: Recovery;
  readonly #claims: Claims;
  readonly #commits: Commits;
  readonly #ending: Ending;
  readonly #inbox: Inbox;
  readonly #superseded: SupersededAttempts;
  readonly #lateAnswers: LateAnswers;
  readonly #callbacks: Callbacks;
  readonly #ticks: Ticks;
  readonly #waiting: Waiting;
  readonly #part: RunPart;
  readonly #steering: SteeringLook | null;
  #ledger: Ledger = createLedger();
  /** The checkpoint has points that the ledger lacks; the next turn counts them, because a commit may be under way now. */
  #isCountDue = false;

  constructor(ports: RunnerPorts, given: RunnerOptions) {
    const options = { ...given, policy: { ...given.policy } };
    const { shared = null, steering = null } = options;
    this.ports = ports;
    this.options = options;
    this.entries = new Entries(ports.clock);
    this.#ending = new Ending(ports);
    this.#inbox = new Inbox(ports.redact, options.policy);
    this.#pace = new Pace(ports.clock);
    this.#sweeps = new Sweeps(options.policy, ports.clock);
    this.#effects = new Effects(this);
    this.#refused = new RefusedRows(this);
    this.#submissions = new Submissions(this, this.#refused);
    this.health = new ServiceHealth(ports.log, this.#submissions.breaker, this.#sweeps, () => this.wake());
    this.#recovery = new Recovery(this, this.#effects, this.#submissions);
    this.#claims = new Claims(this, this.#submissions, this.#effects);
    this.#commits = new Commits(this, this.#claims, this.#submissions);
    this.#superseded = new SupersededAttempts(this, this.#effects);
    this.#lateAnswers = new LateAnswers(this, this.#superseded);
    this.#callbacks = new Callbacks(this, this.#effects, this.#sweeps);
    this.#ticks = new Ticks(this, this.#sweeps, this.#effects, () => this.#askLost());
    this.#waiting = new Waiting(this, this.#submissions, this.#sweeps);
    const parts = { submissions: this.#submissions, claims: this.#claims, recovery: this.#recovery };
    this.#part = shared === null ? aloneIn(this, parts) : new SharedRun(this, shared, parts);
    this.#steering =
      steering === null ? null : new SteeringLook(steering, ports.clock, (news) => this.#steer(news));
  }

  /** The counts and points of this run, always current. */
  get ledger(): Readonly<Ledger> {
    return this.#ledger;
  }

  get policy(): Policy {
    return this.options.policy;
  }

  isStopping(): boolean {
    return this.#ending.stopped !== null;
  }

  wake(): void {
    this.#pace.wake();
  }

  owns(key: number): boolean {
    return this.#part.owns(key);
  }

  replaceLedger(ledger: Ledger): void {
    this.#ledger = ledger;
  }

  countSoon(): void {
    this.#isCountDue = true;
    this.wake();
  }

  async commitAt(count: number): Promise<void> {
    if (this.#inbox.count >= count) await this.#commitQueued();
  }

  noteRoomTaken(left: PlacesLeft | null): void {
    if (left === null) this.#steering?.lookSoon();
    this.#part.noteRoomTaken(left);
  }

  get concurrency(): number {
    return this.#submissions.concurrency;
  }

  get toSubmit(): number {
    return this.#submissions.toSubmit(this.#ledger);
  }

  get obstacle(): Obstacle | null {
    const { stopped } = this.#ending;
    return stopped === null ? this.#waiting.obstacle : { why: 'stopping', reason: stopped.reason };
  }

  *openItems(): Generator<Item> {
    for (const { item } of this.entries.all()) if (item.status === 'open') yield item;
  }

  ownRows(): Partial<Record<Status, number>> {
    const rows: Partial<Record<Status, number>> = {};
    for (const { item } of this.entries.all()) rows[item.status] = (rows[item.status] ?? 0) + 1;
    return rows;
  }

  /** Runs until nothing is left to do or it is stopped. Rejects when the checkpoint fails or on a bug. */
  async run(): Promise<RunEnding> {
    this.#ledger = await this.ports.checkpoint.ledger();
    // If this fails, the loop below still ends the first sweep in an orderly way.
    await this.#recover().catch((error: unknown) => this.fail(error));
    while (!(await this.tick())) {
      const now = this.ports.clock.steady();
      await this.#pace.rest(now, this.#wakeAt(now), this.#effects);
    }
    // Only polls that can be repeated are still in flight.
    this.#effects.cutResumable();
    await Promise.all([this.#effects.idle(), this.#superseded.stop(), this.#submissions.limitSaved()]);
    if (this.#isCountDue) await this.countAgain();
    await this.#ending.throwFailure();
    return this.#ending.stopped ?? this.#submissions.ending(this.#ledger);
  }

  /** One turn of the loop; true when the run is over. */
  async tick(): Promise<boolean> {
    await this.#commitQueued();
    if (!this.isStopping()) await this.#part.lookIfDue().catch((error: unknown) => this.fail(error));
    if (!this.isStopping()) await this.#steering?.lookIfDue().catch((error: unknown) => this.fail(error));
    // Also of a run that stops: no other run would know that the rows were refused alike.
    if (this.#refused.isDue && this.#inbox.count === 0 && !this.#ending.hasFailed)
      await this.#refused.carryOut().catch((error: unknown) => this.fail(error));
    if (!this.isStopping()) {
      // If this fails, the run still waits for creations in flight.
      await this.#submit().catch((error: unknown) => this.fail(error));
      this.sweep();
    }
    return this.#isOver();
  }

  /**
   * Ends the run in an orderly way: submits nothing more, waits for creations in flight, and aborts what can be repeated.
   * The first reason counts.
   */
  stop(reason: EndingReason, failed: Said | null = null): void {
    if (!this.#ending.stop(reason, failed)) return;
    this.#effects.cutResumable();
    this.wake();
  }

  /**
   * A callback announces news about an item: polls it now. Harmless at any rate and from any caller. `taskId` is the task
   * that the caller names: it settles an uncertain item if the service knows the task and no other item has it. Never
   * rejects.
   */
  async noteCallback(key: number, taskId: string | null): Promise<void> {
    if (!this.isStopping()) await this.#callbacks.note(key, taskId);
  }

  /** The user tuned or paused the run, or did not. Open tasks stay as they are, whatever the new numbers. */
  async #steer({ number, pause, policy, isLimitNew }: SteeringNews): Promise<void> {
    this.#submissions.steer({ number, pause });
    if (policy === null) return;
    const before = { ...this.policy };
    const { haltAfter } = before;
    // A share of the rows is counted once, at the start.
    Object.assign(this.policy, { ...policy, haltAfter });
    this.#submissions.noteTuned(before, isLimitNew);
    this.ports.log.info({ policy: this.policy }, 'the run was tuned');
    // Under a cap, rows reserve what they may still cost, and only now are asked about.
    if (before.maxPoints === null && policy.maxPoints !== null) await this.#recovery.askPrices();
  }

  extrasOf(...commit: Parameters<RunPart['extrasOf']>): CommitExtras | undefined {
    return this.#part.extrasOf(...commit);
  }

  async #recover(): Promise<void> {
    await this.#submissions.recover(this.#ledger);
    await this.#part.look();
    if (this.#part.isKeeper) await this.#superseded.askAll();
  }

  /** `about`: the attempt that the event is about; by default the item's current one. */
  post(entry: Entry, event: ItemEvent, about: Subject = subjectOf(entry.item)): void {
    if (!this.#inbox.isNews(entry, event, about)) return;
    this.#part.keepAnswer(event, about.token);
    this.#submissions.noteEvent(event);
    this.#inbox.add(entry, event, about);
    this.wake();
  }

  /**
   * Saves the arrived events and the claims: decide, commit, then act. Events that arrive meanwhile wait for the next
   * turn: with many active rows there are always some, and the loop would never get to submitting.
   */
  async #commitQueued(): Promise<void> {
    if (this.#isCountDue) await this.countAgain();
    const came = this.#inbox.drain();
    const claims = this.#claims.drain();
    if (came.length + claims.length === 0) return;
    this.#part.syncAnswers();
    this.health.beginCommit();
    const saved = await this.#commits.save(came, claims);
    for (const { entry } of [...came, ...claims]) entry.uncommittedCount -= 1;
    if (saved !== null) {
      if (saved.changes.length > 0) this.#pace.noteCommit();
      const parts = {
        run: this,
        effects: this.#effects,
        submissions: this.#submissions,
        callbacks: this.#callbacks,
      };
      for (const [entry, change] of saved.changes) noteChange(entry, change, this.#ledger, parts);
      if (saved.passesPoints) await this.countAgain();
      this.#keepSent(saved.orders);
      for (const { entry, effect } of saved.orders) {
        if (!saved.isAnswered && effect.type === 'create') entry.claimedAt = Number.NEGATIVE_INFINITY;
        this.#start(entry, effect);
      }
      this.#part.forgetTasks(came);
      for (const late of saved.late) await this.#lateAnswers.save(late);
    }
    const claimed = new Set(saved?.changes.map(([entry]) => entry));
    // Another process may have claimed a row meanwhile; it then belongs to that process.
    for (const { entry } of claims) if (!claimed.has(entry)) this.letGo(entry);
    for (const { entry } of [...came, ...claims]) this.release(entry);
  }

  /** A creation that this machine cannot remember does not leave: a run that stops ends it as not sent. */
  #keepSent(orders: Saved['orders']): void {
    try {
      this.#part.keepSent(orders);
    } catch (error) {
      if (!(error instanceof DiskError)) throw error;
      this.stop('disk', error.message);
    }
  }

  /**
   * Points or rows changed that the ledger in memory does not include. Only within a turn: between a commit and the count of its
   * changes, the checkpoint has them already, and they would count twice.
   */
  async countAgain(): Promise<void> {
    this.#isCountDue = false;
    try {
      this.#ledger = await this.ports.checkpoint.ledger();
    } catch (error) {
      // The run ends in an orderly way: the answers to creations on their way are still to be saved.
      this.fail(error);
    }
  }

  /** A claimed creation always starts: if the run is stopping, it ends as not sent, and its row is `pending` again. */
  #start(entry: Entry, effect: Effect): void {
    if (!this.isStopping() || effect.type === 'create') this.#effects.start(entry, effect);
  }

  /** Releases an entry that is no longer needed. */
  release(entry: Entry): void {
    const isDone = !isNeeded(entry) || this.#part.givesUp(entry);
    if (isDone) this.letGo(entry);
    // An entry that stays can wait for the next turn: a sweep in progress wakes the run at its end.
    if (isDone || this.isStopping() || !this.#sweeps.isGoing) this.wake();
  }

  /** Drops the entry: its item may get a newer entry, and two would change it in one commit. */
  letGo(entry: Entry): void {
    this.#submissions.budget.forget(entry);
    this.#effects.cutWaits(entry);
    this.entries.drop(entry);
  }

  async #submit(): Promise<void> {
    const count = await this.#claims.claim();
    if (count > 0) this.wake();
    // A few claims are saved with the next events; as many as may be in flight are worth their own commit.
    if (count >= fixed.creationsInFlight) await this.#commitQueued();
  }

  /** Polls the open tasks, if it is time. */
  sweep(): void {
    this.#ticks.sweepIfDue();
  }

  /** Polls lost tasks and unpriced superseded attempts again. */
  async #askLost(): Promise<void> {
    // One process of a run is enough.
    if (this.#part.isKeeper) await this.#superseded.askAll();
    if (this.#ledger.counts.lost > 0) await this.#recovery.askLost();
  }

  #isOver(): boolean {
    if (this.#inbox.count + this.#claims.count > 0) return false;
    if (this.isStopping()) return !this.entries.some((entry) => entry.busy.size > 0);
    if (this.#refused.isDue || this.#isCountDue) return false;
    // `collect` looks once for everything that is missing, points included.
    if (this.#superseded.isAsking && !this.options.submits) return false;
    const isBusy = this.entries.size > 0 || !this.#submissions.isExhausted(this.#ledger);
    this.#waiting.announceIdle(!isBusy && this.#part.isIdle);
    return !isBusy && this.#part.isOver && !this.#waiting.isForCallbacks();
  }

  #wakeAt(now: number): number {
    if (this.isStopping()) return Number.POSITIVE_INFINITY;
    if (this.#refused.isDue) return now;
    const sweepAt = this.#sweeps.nextAt(now);
    const canSweep = Number.isFinite(sweepAt) && this.entries.some(isPolled);
    const { clock } = this.ports;
    const { callbacksUntil } = this.#waiting;
    return Math.min(
      this.#part.nextAt,
      this.#steering?.nextAt ?? Number.POSITIVE_INFINITY,
      callbacksUntil === null ? Number.POSITIVE_INFINITY : now + callbacksUntil - clock.now(),
      canSweep ? sweepAt : Number.POSITIVE_INFINITY,
      this.#claims.waitForAnswer ? Number.POSITIVE_INFINITY : this.#submissions.wakeAt(this.#ledger),
    );
  }

  keepUnsaved(queue: readonly QueuedEvent[], error: unknown): void {
    this.#ending.keepUnsaved(queue);
    this.fail(error);
  }

  /** A failure that nothing can be done about: ends the run as `stop` does, and makes `run` reject with it. */
  fail(error: unknown): void {
    this.stop(this.#ending.noteFailure(error), saidOf(error));
  }
}
