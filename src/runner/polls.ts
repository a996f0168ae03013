/** Asks the service about tasks, for free, and posts what it says. p-queue says how many ask at once. */

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
  /** Cuts what can be asked again. */
  readonly #signal: AbortSignal;
  readonly #queue = new PQueue({ concurrency: fixed.pollConnections });
  /** What was said and need not be said again. */
  readonly #warnings = new Set<string>();

  constructor(ports: EffectPorts, policy: Policy, outlet: EffectOutlet, signal: AbortSignal) {
    this.#ports = ports;
    this.#policy = policy;
    this.#outlet = outlet;
    this.#signal = signal;
  }

  /** What the service says of a task, whoever has it. */
  ask(taskId: string): Promise<PollEnd> {
    return this.#queue.add(() => this.#ports.service.status(taskId, this.#signal));
  }

  /** Finds out who is at the address of the service; null when the run is stopped meanwhile. */
  async probe(): Promise<ProbeAnswer | null> {
    const answer = await this.#queue.add(() => this.#ports.service.probe(this.#signal));
    return this.#signal.aborted ? null : answer;
  }

  /** Asks for the status of the item's task when there is a connection for it. */
  poll(entry: Entry): Promise<void> {
    return this.#queue.add(() => this.#poll(entry, false));
  }

  /**
   * Asks with the shared tick, at once: a sweep orders no more polls than there are connections, and a line of their own would
   * cost a quarter of what the whole poll does.
   */
  pollOnTick(entry: Entry): Promise<void> {
    return this.#poll(entry, true);
  }

  /** Resolves when nothing is being asked. */
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
    const event = itemEvent(end, entry, { now, isTick }, this.#policy);
    if (event !== null) this.#outlet.post(entry, event);
  }

  /** What it says of the service rather than of the task. */
  #noteEnd({ item: { id, taskId } }: Entry, end: PollEnd): void {
    if (end.type === 'poll-unanswered') {
      this.#ports.log.warn({ id, taskId, failure: end.failure }, 'a poll brought no answer');
      if (end.isTooLong === true)
        this.#warnOnce(`the status of row ${id} (task ${taskId}) is not read: ${end.failure}`);
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
 * What the service says of the task, with what only the run knows: how long it has said so, and whether the task is past its time.
 * Null where that is no news of the item.
 */
function itemEvent(
  said: TaskEvent,
  { item, unknownSince, overdueTicks }: Readonly<Entry>,
  { now, isTick }: { readonly now: number; readonly isTick: boolean },
  policy: Policy,
): ItemEvent | null {
  if (said.type === 'task-not-found')
    // Right after its creation a task may not be known everywhere yet: only the ticks count.
    return isTick ? { ...said, unknownMs: now - (unknownSince ?? now) } : null;
  // Only the word of the service counts, or a night without it would end every task.
  const isOverdue = item.status === 'open' && overdueTicks >= fixed.overdueTicks;
  if (said.type !== 'task-progressed' || !isOverdue) return said;
  const minutes = Math.round(policy.taskTimeoutMs / 6_000) / 10;
  const failure = `the task did not end within ${minutes} minutes (--task-timeout)`;
  return { type: 'task-overdue', at: said.at, failure };
}
