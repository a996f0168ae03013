/**
 * The loop of a run: when to submit and poll, and in what order to save and act.
 *
 * The law of this file: (1) events come in, (2) `transition` decides, (3) the change is committed to the checkpoint,
 * (4) only then its effects start, (5) an effect ends as an event, never as a change of state. Events that arrive together
 * are committed together, so durability costs one sync for all of them and not one per row.
 */

import { DiskError, isBug, messageOf, saidOf, stackOf } from '../errors.ts';
import { inEnglish, message, type Said } from '../messages/message.ts';
import type { ProbeAnswer } from '../money/answers/status-answer.ts';
import { withoutAnswer } from '../money/answers/unread-answer.ts';
import type { CreationEvent, Effect, Item, ItemEvent, Status } from '../money/item.ts';
import { fixed, type Policy } from '../money/policy.ts';
import { hasMark } from '../money/statuses.ts';
import { isAbout, type Subject, subjectOf } from '../money/subject.ts';
import { applyChange, createLedger, type EndingReason, type Ledger } from '../money/summary.ts';
import { transition } from '../money/transition.ts';
import type { Hold, RunView } from '../ports.ts';
import type { Beside, Change } from '../stores/port/checkpoint.ts';
import type { Redact } from '../text/redact.ts';
import { nameRow } from '../text/row-name.ts';
import { Commits, type Saved } from './commits.ts';
import type { QueuedEvent, RunContext, RunnerOptions, RunnerPorts } from './context.ts';
import { awaitedVideos } from './downloading/awaited-videos.ts';
import { Effects } from './effects.ts';
import { Entries } from './entries.ts';
import { type Entry, isHeld, isPolled, moveItem } from './entry.ts';
import { CallbackTasks } from './late-answers/callback-tasks.ts';
import { LateAnswers } from './late-answers/late-answers.ts';
import { SupersededAttempts } from './late-answers/superseded-attempts.ts';
import { UnsavedTasks } from './late-answers/unsaved-tasks.ts';
import { aloneIn, type RunPart } from './lone-run.ts';
import { CallbackPolls } from './polling/callback-polls.ts';
import { Sweeps } from './polling/sweeps.ts';
import { Recovery } from './recovery.ts';
import { SharedRun } from './shared-run.ts';
import { SteeringLook, type SteeringNews } from './steering.ts';
import { Claims } from './submitting/claims.ts';
import { Pace } from './submitting/pace.ts';
import { RefusedRows } from './submitting/refused-rows.ts';
import { Submissions } from './submitting/submissions.ts';

/** How a run ended. */
export interface RunEnding {
  readonly reason: EndingReason;
  /** The message of the failure that stopped it; null when there was none. */
  readonly failure: string | null;
  /** The same, where it is known in the language of its hearer. */
  readonly said?: Said;
  /** Creations whose task ids are in the journal but not in the checkpoint; the next start saves them. */
  readonly keptCount?: number;
  /** True where other processes may work on the run. */
  readonly isShared?: boolean;
}

export class Runner implements RunView, RunContext {
  readonly ports: RunnerPorts;
  readonly options: RunnerOptions;
  readonly entries: Entries;
  readonly #pace: Pace;
  readonly #sweeps: Sweeps;
  readonly #effects: Effects;
  readonly #refused: RefusedRows;
  readonly #submissions: Submissions;
  readonly #recovery: Recovery;
  readonly #claims: Claims;
  readonly #commits: Commits;
  readonly #unsaved: UnsavedTasks;
  readonly #superseded: SupersededAttempts;
  readonly #lateAnswers: LateAnswers;
  readonly #callbackTasks: CallbackTasks;
  readonly #callbacks: CallbackPolls;
  readonly #part: RunPart;
  readonly #steering: SteeringLook | null;
  #inbox: QueuedEvent[] = [];
  #ledger: Ledger = createLedger();
  /** The checkpoint has points that the ledger lacks; the next turn counts them, because a commit may be under way now. */
  #isCountDue = false;
  #stopped: RunEnding | null = null;
  /** A failure that makes `run` reject: a bug, or a checkpoint that cannot be written. */
  #fatal: unknown = null;
  /** The user was told that the run waits for callbacks. */
  #hasSaidWait = false;
  /** The user was told that this worker waits for more work. */
  #hasSaidIdle = false;
  /** Creations accepted among the events that are being saved: the ledger does not count them yet. */
  #acceptedCount = 0;
  /** The service does not answer; its next answer wakes the run, because rows may be waiting for it. */
  #isOutOfReach = false;

  constructor(ports: RunnerPorts, given: RunnerOptions) {
    const options = { ...given, policy: { ...given.policy } };
    const { shared = null, steering = null } = options;
    this.ports = ports;
    this.options = options;
    this.entries = new Entries(ports.clock);
    this.#pace = new Pace(ports.clock);
    this.#sweeps = new Sweeps(options.policy, ports.clock);
    this.#effects = new Effects(this);
    this.#refused = new RefusedRows(this);
    this.#submissions = new Submissions(this, this.#refused);
    this.#recovery = new Recovery(this, this.#effects, this.#submissions);
    this.#claims = new Claims(this, this.#submissions, this.#effects);
    this.#commits = new Commits(this, this.#claims, this.#submissions);
    this.#unsaved = new UnsavedTasks(ports.journal);
    this.#superseded = new SupersededAttempts(this, this.#effects);
    this.#lateAnswers = new LateAnswers(this, this.#superseded);
    this.#callbackTasks = new CallbackTasks(this, this.#effects);
    this.#callbacks = new CallbackPolls(ports.clock, {
      ask: (entry) => this.#askAgain(entry),
      tryTask: (key, taskId) => this.#callbackTasks.tryTask(key, taskId),
      lost: (error) => this.#loseCallback(error),
    });
    const parts = { submissions: this.#submissions, claims: this.#claims, recovery: this.#recovery };
    this.#part = shared === null ? aloneIn(this, parts) : new SharedRun(this, shared, parts);
    this.#steering =
      steering === null ? null : new SteeringLook(steering, ports.clock, (news) => this.#steer(news));
  }

  /** True while this process does not reach the service: in a shared run its rows are for others. */
  get isResting(): boolean {
    return (
      this.#submissions.breaker.state.stopped === 'unreachable' || this.#sweeps.silentMs >= fixed.restAfterMs
    );
  }

  /** The counts and points of this run, always current. */
  get ledger(): Readonly<Ledger> {
    return this.#ledger;
  }

  get policy(): Policy {
    return this.options.policy;
  }

  isStopping(): boolean {
    return this.#stopped !== null;
  }

  wake(): void {
    this.#pace.wake();
  }

  owns(key: number): boolean {
    return this.#part.owns(key);
  }

  counted(ledger: Ledger): void {
    this.#ledger = ledger;
  }

  countSoon(): void {
    this.#isCountDue = true;
    this.wake();
  }

  async commitAt(count: number): Promise<void> {
    if (this.#inbox.length >= count) await this.#commitQueued();
  }

  noteRoomTaken(): void {
    this.#steering?.lookSoon();
    this.#part.noteNoRoom();
  }

  unanswered(retryAfterMs: number | null, failure: string, isUnread = false): void {
    this.#sweeps.noteSilence(retryAfterMs, failure, isUnread);
  }

  probed({ outcome }: ProbeAnswer): void {
    if (outcome === 'unreachable') this.#isOutOfReach = true;
    else this.#sweeps.noteAnswer();
  }

  get concurrency(): number {
    return this.#submissions.concurrency;
  }

  get toSubmit(): number {
    return this.#submissions.toSubmit(this.#ledger);
  }

  get hold(): Hold | null {
    if (this.#stopped !== null) return { why: 'stopping', reason: this.#stopped.reason };
    const hold = this.#sweeps.hold(this.ports.clock.steady()) ?? this.#submissions.hold(this.#ledger);
    const until = this.#hasSaidWait ? this.#submissions.room.uncertainUntil(this.#ledger) : null;
    if (until !== null) return { why: 'callbacks', until };
    // That no video can be had at all is worth more than how long they are asked for.
    const isWaiting =
      hold === null ? this.toSubmit === 0 : hold.why === 'closed' && hold.reason !== 'delivery-breaker';
    const videos = isWaiting ? awaitedVideos(this.entries.all(), this.ports.clock) : null;
    if (videos !== null) return videos;
    return hold === null && this.#hasSaidIdle ? { why: 'idle' } : hold;
  }

  *openItems(): Generator<Item> {
    for (const { item } of this.entries.all()) if (item.status === 'open') yield item;
  }

  heldRows(): Partial<Record<Status, number>> {
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
      await this.#pace.rest(now, this.#wakeAt(now));
    }
    // Only polls that can be repeated are still in flight.
    this.#effects.cutResumable();
    await Promise.all([this.#effects.idle(), this.#superseded.stop(), this.#submissions.limitSaved()]);
    if (this.#isCountDue) await this.countAgain();
    if (this.#fatal !== null) {
      await this.#unsaved.trySaving(this.ports.checkpoint, this.ports.clock);
      throw this.#unsaved.explain(this.#fatal);
    }
    return this.#stopped ?? this.#submissions.ending(this.#ledger);
  }

  /** One turn of the loop; true when the run is over. */
  async tick(): Promise<boolean> {
    await this.#commitQueued();
    if (this.#stopped === null) await this.#part.lookIfDue().catch((error: unknown) => this.fail(error));
    if (this.#stopped === null) await this.#steering?.lookIfDue().catch((error: unknown) => this.fail(error));
    // Also of a run that stops: nobody else would know that the rows were refused alike.
    if (this.#refused.isDue && this.#inbox.length === 0 && this.#fatal === null)
      await this.#refused.carryOut().catch((error: unknown) => this.fail(error));
    if (this.#stopped === null) {
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
    if (this.#stopped !== null) return;
    const failure = failed === null ? null : inEnglish(failed);
    this.#stopped = {
      reason,
      failure,
      ...(typeof failed === 'object' && failed !== null && { said: failed }),
    };
    this.ports.log.info({ reason, failure }, 'the run stops');
    this.#effects.cutResumable();
    this.wake();
  }

  /**
   * A callback announces news about an item: polls it now. Harmless at any rate and from any caller. `taskId` is the task
   * that the caller names: it settles an uncertain item if the service knows the task and no other item has it. Never
   * rejects.
   */
  async noteCallback(key: number, taskId: string | null): Promise<void> {
    if (this.#stopped !== null) return;
    const entry = this.entries.get(key);
    try {
      if (entry?.item.status === 'submitting') this.#callbacks.keepNamedTask(key, taskId);
      else if (entry !== undefined) await this.#callbacks.noteNews(entry);
      else if (taskId !== null) await this.#callbacks.noteNamedTask(key, taskId);
    } catch (error) {
      this.#loseCallback(error);
    }
  }

  #loseCallback(error: unknown): void {
    this.ports.log.warn({ failure: messageOf(error), stack: stackOf(error) }, 'a callback was lost');
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
    // Under a cap, rows reserve what they may still cost, and only now somebody asks.
    if (before.maxPoints === null && policy.maxPoints !== null) await this.#recovery.askPrices();
  }

  beside(...commit: Parameters<RunPart['beside']>): Beside | undefined {
    return this.#part.beside(...commit);
  }

  #askAgain(entry: Entry): void {
    if (this.#stopped !== null || !isPolled(entry) || this.#sweeps.isPaused(this.ports.clock.steady()))
      return;
    this.#effects.start(entry, { type: 'poll' });
  }

  async #recover(): Promise<void> {
    await this.#submissions.recover(this.#ledger);
    await this.#part.look();
    await this.#askSuperseded();
  }

  async #askSuperseded(): Promise<void> {
    // One process of a run is enough.
    if (!this.#part.isKeeper) return;
    if (!this.#superseded.isLoaded) await this.#superseded.recover();
    this.#superseded.ask();
  }

  /** `about`: the attempt that the event is about; by default the item's current one. */
  post(entry: Entry, event: ItemEvent, about: Subject = subjectOf(entry.item)): void {
    if (this.#isNoNews(entry, event, about)) return;
    this.#part.keepAnswer(event, about.token);
    this.#submissions.hear(event);
    entry.uncommittedCount += 1;
    this.#inbox.push({ entry, event: withoutSecrets(event, this.ports.redact), about });
    this.wake();
  }

  /** Most polls bring nothing new, and waking the run for each would cost more than the request. */
  #isNoNews(entry: Entry, event: ItemEvent, about: Subject): boolean {
    if (event.type !== 'task-progressed' || entry.uncommittedCount > 0) return false;
    if (!isAbout(about, event, entry.item)) return true;
    const { item, effects } = transition(entry.item, event, this.policy);
    return item === entry.item && effects.length === 0;
  }

  /** Wakes rows that wait for an answer at once, not at the end of the sweep. */
  answered(knowsTask: boolean): void {
    this.#submissions.breaker.noteAnswer(knowsTask);
    this.#sweeps.noteAnswer();
    if (this.#isOutOfReach) this.wake();
    this.#isOutOfReach = false;
  }

  /**
   * Saves the arrived events and the claims: decide, commit, then act. Events that arrive meanwhile wait for the next
   * turn: with many active rows there are always some, and the loop would never get to submitting.
   */
  async #commitQueued(): Promise<void> {
    if (this.#isCountDue) await this.countAgain();
    const came = this.#inbox;
    const claims = this.#claims.take();
    if (came.length + claims.length === 0) return;
    this.#inbox = [];
    this.#acceptedCount = 0;
    const saved = await this.#commits.save(came, claims);
    for (const { entry } of [...came, ...claims]) entry.uncommittedCount -= 1;
    if (saved !== null) {
      if (saved.changes.length > 0) this.#pace.noteCommit();
      for (const [entry, change] of saved.changes) this.#noteChange(entry, change);
      if (saved.passesPoints) await this.countAgain();
      this.#keepSent(saved.orders);
      for (const { entry, effect } of saved.orders) {
        if (!saved.isHeard && effect.type === 'create') entry.claimedAt = Number.NEGATIVE_INFINITY;
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

  /** The breaker gets the event that will be saved: a creation answered with another row's task is uncertain. */
  creationEnded(entry: Entry, event: CreationEvent): void {
    this.#isOutOfReach ||= event.type === 'creation-not-sent';
    if (event.type === 'creation-uncertain' && event.answer) {
      const { answer, failure } = event;
      this.ports.log.warn(
        { id: entry.item.id, failure: withoutAnswer(failure), answer },
        'no task id was read',
      );
    }
    const { counts } = this.#ledger;
    this.#submissions.breaker.noteCreation(event, entry.item, {
      startedAt: entry.takenAt,
      open: counts.open + this.#acceptedCount,
      used: counts.open + counts.submitting,
    });
    if (event.type === 'creation-accepted') this.#acceptedCount += 1;
  }

  /** A claimed creation always starts: if the run is stopping, it ends as not sent, and its row is `pending` again. */
  #start(entry: Entry, effect: Effect): void {
    if (this.#stopped === null || effect.type === 'create') this.#effects.start(entry, effect);
  }

  #noteChange(entry: Entry, { before, after }: Change): void {
    moveItem(entry, after, this.ports.clock);
    if (after.status !== 'lost') this.entries.lost.delete(entry);
    if (after.status !== before.status || after.points !== before.points)
      this.#submissions.budget.askPrice(entry);
    if (after.status !== 'downloading') this.#effects.cutWaits(entry);
    applyChange(this.#ledger, before, after);
    this.#submissions.note(before, after, this.#ledger);
    this.ports.reporter.changed(before, after);
    if (before.status === after.status) return;
    this.#callbackTasks.noteKnown(after);
    if (before.status === 'submitting') this.#callbacks.release(after.key, after.status === 'uncertain');
    const { id, taskId, attempt, status, failure, points } = after;
    this.ports.log.info(
      { id, taskId, attempt, from: before.status, to: status, points, failure },
      'transition',
    );
    if (hasMark(status, 'bad'))
      this.ports.reporter.note(`${nameRow(id)} is ${status}: ${failure ?? 'no reason given'}`, after);
  }

  /** Releases an entry that is no longer needed. */
  release(entry: Entry): void {
    const isDone = !isHeld(entry) || this.#part.givesUp(entry);
    if (isDone) this.letGo(entry);
    // An entry that stays can wait for the next turn: a sweep in progress wakes the run at its end.
    if (isDone || this.#stopped !== null || !this.#sweeps.isGoing) this.wake();
  }

  /** Nothing is heard of it from now on: its item may get a newer entry, and two would change it in one commit. */
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

  sweep(): void {
    if (!this.#sweeps.takeTick(this.ports.clock.steady())) return;
    if (this.#sweeps.isForLost) this.#askLost().catch((error: unknown) => this.fail(error));
    const due = [...this.entries.all()].filter((entry) => this.#isDue(entry));
    if (due.length === 0) return;
    const sweep = this.#sweeps.sweep(this.#stillDue(due), (entry) => this.#effects.pollOnTick(entry));
    sweep.then(() => this.#sweepEnded()).catch((error: unknown) => this.fail(error));
  }

  #sweepEnded(): void {
    const silence = this.#sweeps.takeSilence();
    if (silence !== null && this.#stopped === null)
      this.ports.reporter.note(message(silence.percent === 100 ? 'polls.silence' : 'polls.some', silence));
    this.wake();
  }

  /** Polls lost tasks and unpriced superseded attempts again. */
  async #askLost(): Promise<void> {
    await this.#askSuperseded();
    if (this.#ledger.counts.lost > 0) await this.#recovery.askLost();
  }

  /** Checks each entry again when its turn comes: a callback may have settled it, or the run may be over. */
  *#stillDue(due: readonly Entry[]): Generator<Entry> {
    for (const entry of due) {
      if (this.#stopped !== null) return;
      if (this.#isDue(entry)) yield entry;
    }
  }

  #isDue(entry: Entry): boolean {
    return isPolled(entry) && this.owns(entry.item.key);
  }

  #isOver(): boolean {
    if (this.#inbox.length + this.#claims.count > 0) return false;
    if (this.#stopped !== null) return !this.entries.some((entry) => entry.busy.size > 0);
    if (this.#refused.isDue || this.#isCountDue) return false;
    // `collect` looks once for everything that is missing, points included.
    if (this.#superseded.isAsking && !this.options.submits) return false;
    const isBusy = this.entries.size > 0 || !this.#submissions.isExhausted(this.#ledger);
    this.#sayIdle(!isBusy && this.#part.isIdle);
    if (isBusy || !this.#part.isOver) return false;
    return !this.#waitsForCallbacks();
  }

  /** Says once that this worker has nothing to do, and once that it has. */
  #sayIdle(isIdle: boolean): void {
    if (isIdle === this.#hasSaidIdle) return;
    this.#hasSaidIdle = isIdle;
    const isDone = this.#submissions.ending(this.#ledger).reason === 'done';
    const idle = isDone ? 'waiting.done' : 'waiting.round';
    this.ports.reporter.note(message(isIdle ? idle : 'waiting.over'));
  }

  /** A callback may still name the task of an uncertain row, for as long as a task may take. */
  #waitsForCallbacks(): boolean {
    if (!this.options.listens) return false;
    const until = this.#submissions.room.uncertainUntil(this.#ledger);
    if (until !== null && !this.#hasSaidWait) {
      this.#hasSaidWait = true;
      this.ports.reporter.note(message('waiting.for-callbacks'));
    }
    return until !== null;
  }

  #wakeAt(now: number): number {
    if (this.#stopped !== null) return Number.POSITIVE_INFINITY;
    if (this.#refused.isDue) return now;
    const sweepAt = this.#sweeps.nextAt(now);
    const canSweep = Number.isFinite(sweepAt) && this.entries.some(isPolled);
    const { clock } = this.ports;
    const callbacksEnd = this.options.listens ? this.#submissions.room.uncertainUntil(this.#ledger) : null;
    return Math.min(
      this.#part.nextAt,
      this.#steering?.nextAt ?? Number.POSITIVE_INFINITY,
      callbacksEnd === null ? Number.POSITIVE_INFINITY : now + callbacksEnd - clock.now(),
      canSweep ? sweepAt : Number.POSITIVE_INFINITY,
      this.#claims.isHeld ? Number.POSITIVE_INFINITY : this.#submissions.wakeAt(this.#ledger),
    );
  }

  /** Keeps the task ids that the service returned, which would otherwise be lost with this process. */
  unsaved(queue: readonly QueuedEvent[], error: unknown): void {
    for (const { entry, event, about } of queue) this.#unsaved.note(entry.item, event, about?.token ?? null);
    this.fail(error);
  }

  /** A failure that nothing can be done about: ends the run as `stop` does, and makes `run` reject with it. */
  fail(error: unknown): void {
    this.#fatal ??= error;
    const reason = reasonOf(error);
    const failure = messageOf(error);
    this.ports.log.warn({ reason, failure, stack: stackOf(error) }, 'the run fails');
    this.stop(reason, saidOf(error));
  }
}

/** The kind of failure: for a bug, the log must not suggest a full disk. */
function reasonOf(error: unknown): EndingReason {
  if (error instanceof DiskError) return 'disk';
  return isBug(error) ? 'bug' : 'checkpoint';
}

/** Redacts all failures in one place, so that memory, checkpoint and reports show the same text. */
function withoutSecrets(event: ItemEvent, redact: Redact): ItemEvent {
  if (!('failure' in event) || event.failure === null) return event;
  return { ...event, failure: redact(event.failure) };
}
