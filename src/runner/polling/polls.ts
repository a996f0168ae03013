/** Polls the service about tasks, for free, and posts the answers. p-queue limits the polls in flight. */

import PQueue from 'p-queue';
import { type Message, message, several } from '../../messages/message.ts';
import type { PollEnd, ProbeAnswer } from '../../money/answers/status-answer.ts';
import { isWaitOver } from '../../money/answers/task-wait.ts';
import { unreadFailure } from '../../money/answers/unread-answer.ts';
import { hasVideo, leavesFramesOut } from '../../money/artifacts.ts';
import type { ItemEvent, TaskEvent } from '../../money/event.ts';
import type { Item } from '../../money/item.ts';
import { fixed, type Policy } from '../../money/policy.ts';
import { isSameSubject, subjectOf } from '../../money/subject.ts';
import type { RunContext, RunnerPorts } from '../context.ts';
import { type Entry, notePrice, noteTick } from '../entry.ts';
import { FreeQuestion } from '../submitting/free-question.ts';
import { OutageLog } from './outage-log.ts';

type PollRefused = Extract<PollEnd, { readonly type: 'poll-refused' }>;
type PollUnanswered = Extract<PollEnd, { readonly type: 'poll-unanswered' }>;

/** The service answers, but says nothing of this task that can be read. */
interface PollUnreadable {
  readonly type: 'poll-unreadable';
  readonly failure: string;
  readonly isUnread: boolean;
}

export class Polls {
  readonly #run: RunContext;
  readonly #ports: RunnerPorts;
  readonly #policy: Policy;
  /** Aborts polls, which can be repeated. */
  readonly #signal: AbortSignal;
  readonly #queue = new PQueue({ concurrency: fixed.pollConnections });
  readonly #free: FreeQuestion;
  readonly #outage: OutageLog;
  /** Warnings given, so that none is repeated. */
  readonly #warnings = new Set<string>();

  constructor(run: RunContext, signal: AbortSignal) {
    this.#run = run;
    this.#ports = run.ports;
    this.#policy = run.options.policy;
    this.#signal = signal;
    this.#outage = new OutageLog(run.ports);
    this.#free = new FreeQuestion(run.ports, this.#policy, { signal, queue: this.#queue });
  }

  /** Requests the status of any task. */
  ask(taskId: string): Promise<PollEnd> {
    return this.#queue.add(() => this.#ports.service.status(taskId, this.#signal));
  }

  /** Finds out who answers at the address of the service; null when the run stops meanwhile. */
  probe(): Promise<ProbeAnswer | null> {
    return this.#free.ask();
  }

  /** Polls the item's task when a connection is free. */
  poll(entry: Entry): Promise<void> {
    return this.#queue.add(() => this.#poll(entry, false));
  }

  /**
   * Polls at once, as part of a sweep: a sweep starts no more polls than there are connections, and the queue would cost a
   * quarter of the whole poll.
   */
  pollOnTick(entry: Entry): Promise<void> {
    return this.#poll(entry, true);
  }

  /** Resolves when no poll is in flight. */
  idle(): Promise<void> {
    return this.#queue.onIdle();
  }

  async #poll(entry: Entry, isTick: boolean): Promise<void> {
    const about = subjectOf(entry.item);
    const { taskId } = about;
    const { clock, service } = this.#ports;
    if (taskId === null || this.#signal.aborted) return;
    const startedAt = clock.steady();
    const answer = await service.status(taskId, this.#signal);
    if (this.#signal.aborted) return;
    if (answer.type === 'poll-refused') {
      if (await this.#isForAll(entry, answer, startedAt)) return;
    } else this.#noteEnd(entry, answer);
    const isWaitedFor = (isTick && entry.item.status === 'open') || lacksVideo(entry.item);
    const end =
      answer.type === 'poll-unanswered' && isWaitedFor ? await this.#readSilence(answer, startedAt) : answer;
    if (end === null) return;
    const now = clock.steady();
    const isCurrent = isSameSubject(about, entry.item);
    if (isTick && isCurrent) noteTick(entry, end, { now, startedAt }, this.#policy);
    const price = isTick && isCurrent ? notePrice(entry, end, now, this.#policy) : null;
    if (price !== null)
      this.#run.post(entry, { type: 'price-settled', at: clock.now(), points: price }, about);
    if (end.type === 'poll-unanswered' || price !== null) return;
    if (!isCurrent) {
      if (end.type === 'task-completed' || end.type === 'task-failed') this.#run.post(entry, end, about);
      return;
    }
    // That the service knows the task counts whenever it says so; that it does not, only at the ticks.
    if (end.type !== 'task-not-found') entry.unknownSince = null;
    const event = itemEvent(end, entry, { now, at: clock.now(), isTick }, this.#policy);
    if (event !== null) this.#run.post(entry, event, about);
  }

  /**
   * Whether the wait for a task continues. While the service answers the free question, a whole answer about the task counts as
   * one even where it cannot be read: a task that the service stumbles over would be waited for without end. Null when the run stops
   * meanwhile.
   */
  async #readSilence(
    end: PollUnanswered,
    startedAt: number,
  ): Promise<PollUnanswered | PollUnreadable | null> {
    if (end.isWhole !== true) return end;
    const free = await this.#free.askFor(startedAt);
    if (free === null || this.#signal.aborted) return null;
    if (free.outcome !== 'odd' && (free.outcome !== 'service' || free.isBusy)) return end;
    this.#run.health.noteAnswer(false);
    return { type: 'poll-unreadable', failure: end.failure, isUnread: end.isUnread === true };
  }

  /**
   * True where the service refuses whatever it is asked, or the run stops. Otherwise a gateway or the service refuses only
   * this poll, and the others continue.
   */
  async #isForAll({ item: { id, taskId } }: Entry, end: PollRefused, startedAt: number): Promise<boolean> {
    const free = await this.#free.askFor(startedAt);
    if (free === null) return true;
    if (free.outcome === 'refused') {
      this.#run.stop(free.endsRun, free.failure);
      return true;
    }
    this.#ports.log.warn({ id, taskId, failure: end.failure }, 'a poll was refused');
    this.#warnOnce(
      `refused ${taskId}`,
      message('polls.refused', { id, taskId: taskId ?? '', failure: end.failure }),
    );
    if (free.outcome === 'service') this.#run.health.noteAnswer(false);
    else this.#run.health.noteSilence(null, end.failure);
    return false;
  }

  /** Handles what the answer says about the service, not the task. */
  #noteEnd(entry: Entry, end: Exclude<PollEnd, PollRefused>): void {
    const { id, taskId } = entry.item;
    if ('frames' in end) entry.hasNewFrameNames ||= leavesFramesOut(entry.item, end.frames);
    if (end.type === 'poll-unanswered') {
      const { failure, retryAfterMs, isTooLong = false, isUnread = false } = end;
      this.#outage.note({ id, taskId, failure });
      // Of answers that are unreadable in the same way, one is enough.
      if (isTooLong || isUnread)
        this.#warnOnce(
          isTooLong ? `unreadable ${taskId} ${failure}` : 'unread',
          message('polls.unreadable', { id, taskId: taskId ?? '', failure }),
        );
      this.#run.health.noteSilence(retryAfterMs, failure, isUnread);
      return;
    }
    this.#outage.noteAnswer();
    this.#run.health.noteAnswer(end.type !== 'task-not-found');
    if (end.type === 'task-not-found' || end.unknownState === undefined) return;
    const { type: verdict, unknownState: state } = end;
    if ('isContrary' in end) this.#warnOnce(`contrary ${state}`, message('polls.contrary-state', { state }));
    // Once for each verdict, whatever the text: a place in a queue is another state at each poll.
    else this.#warnOnce(`unknown state ${verdict}`, message('polls.unknown-state', { state, verdict }));
  }

  #warnOnce(about: string, said: Message): void {
    if (this.#warnings.has(about)) return;
    this.#warnings.add(about);
    this.#ports.reporter.warn(said);
  }
}

/**
 * Adds to the service's answer what only the run knows: how long the service has said so, and whether the task is
 * overdue. Null when this changes nothing for the item.
 */
function itemEvent(
  said: TaskEvent | PollRefused | PollUnreadable,
  { item, unknownSince, wait }: Readonly<Entry>,
  { now, at, isTick }: { readonly now: number; readonly at: number; readonly isTick: boolean },
  policy: Policy,
): ItemEvent | null {
  if (said.type === 'task-not-found')
    // Right after its creation a task may not be known everywhere yet, so only ticks count.
    return isTick ? { ...said, unknownMs: now - (unknownSince ?? now) } : null;
  // Only answers of the service count, or a night without network would end every task.
  const isOverdue = item.status === 'open' && isWaitOver(wait);
  if (said.type === 'poll-refused' || said.type === 'poll-unreadable') {
    if (isOverdue) return { type: 'task-overdue', at, failure: overdueText(said, policy) };
    // Without a link the wait for the video is as long as for a link that does not work.
    return lacksVideo(item) ? { type: 'video-not-had', at, failure: said.failure, newLink: true } : null;
  }
  if (said.type !== 'task-progressed' || !isOverdue) return said;
  const state = said.unknownState ?? 'IN_PROGRESS';
  const failure = several([
    message('task.overdue', limitOf(policy)),
    message('task.last-said', { state }),
  ]).text;
  return { type: 'task-overdue', at: said.at, failure };
}

/** The task is completed, and only its video is waited for. */
function lacksVideo(item: Item): boolean {
  return item.status === 'downloading' && !hasVideo(item);
}

function overdueText(said: PollRefused | PollUnreadable, policy: Policy): string {
  return said.type === 'poll-unreadable' && said.isUnread
    ? unreadFailure(message('task.overdue', limitOf(policy)).text, said.failure)
    : message('task.overdue-refused', { ...limitOf(policy), failure: said.failure }).text;
}

function limitOf({ taskTimeoutMs }: Policy): { readonly minutes: number } {
  return { minutes: Math.round(taskTimeoutMs / 6_000) / 10 };
}
