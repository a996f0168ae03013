/** Polls the service about tasks, for free, and posts the answers. p-queue limits the polls in flight. */

import PQueue from 'p-queue';
import type { ItemEvent, TaskEvent } from '../core/item.ts';
import { fixed, type Policy } from '../core/policy.ts';
import type { PollEnd, ProbeAnswer } from '../core/status-answer.ts';
import type { EffectOutlet, EffectPorts } from './effects.ts';
import { ageOf, type Entry, noteTick } from './entry.ts';

export class Polls {
  readonly #ports: EffectPorts;
  readonly #policy: Policy;
  readonly #outlet: EffectOutlet;
  /** Aborts polls, which can be repeated. */
  readonly #signal: AbortSignal;
  readonly #queue = new PQueue({ concurrency: fixed.pollConnections });
  /** Warnings given, so that none is repeated. */
  readonly #warnings = new Set<string>();

  constructor(ports: EffectPorts, policy: Policy, outlet: EffectOutlet, signal: AbortSignal) {
    this.#ports = ports;
    this.#policy = policy;
    this.#outlet = outlet;
    this.#signal = signal;
  }

  /** Requests the status of any task. */
  ask(taskId: string): Promise<PollEnd> {
    return this.#queue.add(() => this.#ports.service.status(taskId, this.#signal));
  }

  /** Finds out who answers at the address of the service; null when the run stops meanwhile. */
  async probe(): Promise<ProbeAnswer | null> {
    const answer = await this.#queue.add(() => this.#ports.service.probe(this.#signal));
    return this.#signal.aborted ? null : answer;
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
    const { taskId } = entry.item;
    const { clock, service } = this.#ports;
    if (taskId === null || this.#signal.aborted) return;
    const ageMs = ageOf(entry, clock.steady());
    const end = await service.status(taskId, this.#signal);
    if (this.#signal.aborted) return;
    this.#noteEnd(entry, end);
    const now = clock.steady();
    if (isTick) noteTick(entry, end, { now, isPast: ageMs > this.#policy.taskTimeoutMs });
    if (end.type === 'poll-unanswered' || end.type === 'poll-refused') return;
    // That the service knows the task counts whenever it says so; that it does not, only at the ticks.
    if (end.type !== 'task-not-found') entry.unknownSince = null;
    const event = itemEvent(end, entry, { now, isTick }, this.#policy);
    if (event !== null) this.#outlet.post(entry, event);
  }

  /** Handles what the answer says about the service, not the task. */
  #noteEnd({ item: { id, taskId } }: Entry, end: PollEnd): void {
    if (end.type === 'poll-unanswered') {
      this.#ports.log.warn({ id, taskId, failure: end.failure }, 'a poll got no answer');
      if (end.isTooLong === true)
        this.#warnOnce(`the status of row ${id} (task ${taskId}) cannot be read: ${end.failure}`);
      this.#outlet.pollUnanswered(end.retryAfterMs, end.failure);
      return;
    }
    if (end.type === 'poll-refused') {
      this.#outlet.stop(end.endsRun, end.failure);
      return;
    }
    this.#outlet.serviceAnswered(end.type !== 'task-not-found');
    if (end.type === 'task-progressed' && end.unknownState !== undefined)
      this.#warnOnce(
        `the service reports a state that is not documented, "${end.unknownState}"; it counts as open`,
      );
  }

  #warnOnce(text: string): void {
    if (this.#warnings.has(text)) return;
    this.#warnings.add(text);
    this.#ports.reporter.warn(text);
  }
}

/**
 * Adds to the service's answer what only the run knows: how long the service has said so, and whether the task is
 * overdue. Null when this changes nothing for the item.
 */
function itemEvent(
  said: TaskEvent,
  { item, unknownSince, overdueTicks }: Readonly<Entry>,
  { now, isTick }: { readonly now: number; readonly isTick: boolean },
  policy: Policy,
): ItemEvent | null {
  if (said.type === 'task-not-found')
    // Right after its creation a task may not be known everywhere yet, so only ticks count.
    return isTick ? { ...said, unknownMs: now - (unknownSince ?? now) } : null;
  // Only answers of the service count, or a night without network would end every task.
  const isOverdue = item.status === 'open' && overdueTicks >= fixed.overdueTicks;
  if (said.type !== 'task-progressed' || !isOverdue) return said;
  const minutes = Math.round(policy.taskTimeoutMs / 6_000) / 10;
  const failure = `the task did not end within ${minutes} minutes (--task-timeout)`;
  return { type: 'task-overdue', at: said.at, failure };
}
