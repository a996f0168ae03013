/** Asks the service about tasks, for free, and posts what it says. p-queue says how many ask at once. */

import PQueue from 'p-queue';
import { fixed, type Policy } from '../core/policy.ts';
import type { ProbeAnswer, StatusAnswer } from '../ports.ts';
import type { EffectOutlet, EffectPorts } from './effects.ts';
import { ageOf, type Entry, noteTick } from './entry.ts';
import { isPastTime, statusEvent } from './poll-task.ts';

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
  ask(taskId: string): Promise<StatusAnswer> {
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
    const answer = await service.status(taskId, this.#signal);
    if (this.#signal.aborted) return;
    this.#noteAnswer(entry, answer);
    const now = clock.steady();
    if (isTick) noteTick(entry, answer, { now, isPast: isPastTime({ ageMs }, this.#policy) });
    const { overdueTicks } = entry;
    const unknownMs = entry.unknownSince === null ? 0 : now - entry.unknownSince;
    const task = { at: clock.now(), ageMs, overdueTicks, unknownMs, isTick };
    const event = statusEvent(answer, entry.item, task, this.#policy);
    if (event !== null) this.#outlet.post(entry, event);
  }

  #noteAnswer(entry: Entry, answer: StatusAnswer): void {
    const { id, taskId } = entry.item;
    if (answer.outcome === 'unanswered') {
      this.#ports.log.warn({ id, taskId, failure: answer.failure }, 'a poll brought no answer');
      if (answer.isTooLong === true)
        this.#warnOnce(`the status of row ${id} (task ${taskId}) is not read: ${answer.failure}`);
      this.#outlet.pollUnanswered(answer.retryAfterMs, answer.failure);
      return;
    }
    if (answer.outcome === 'key-refused') {
      this.#outlet.stop(answer.because, answer.failure);
      return;
    }
    this.#outlet.serviceAnswered(answer.outcome !== 'not-found');
    if (answer.outcome === 'progressed' && answer.unknownState !== null)
      this.#warnOnce(
        `the service reports a state that is not documented, "${answer.unknownState}"; it counts as open`,
      );
  }

  #warnOnce(text: string): void {
    if (this.#warnings.has(text)) return;
    this.#warnings.add(text);
    this.#ports.reporter.warn(text);
  }
}
