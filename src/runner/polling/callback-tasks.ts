/**
 * Tasks that callbacks name for uncertain rows. Anyone may call, so a task is adopted only when the service knows it,
 * no row has it, no creation in flight could own it, and its times do not contradict the row.
 */

import { canBeTaskOf } from '../../money/answers/late-answers.ts';
import { isMadeForRow } from '../../money/answers/made-for-row.ts';
import type { PollEnd } from '../../money/answers/status-answer.ts';
import type { Item } from '../../money/item.ts';
import { fixed, type Policy } from '../../money/policy.ts';
import type { Clock } from '../../ports.ts';
import type { Checkpoint } from '../../stores/port/checkpoint.ts';
import type { Entry } from '../entry.ts';

interface CallbackTaskPorts {
  readonly checkpoint: Pick<Checkpoint, 'itemWithKey' | 'itemOfTask'>;
  readonly clock: Clock;
}

/** What callback tasks need from the runner. */
export interface CallbackTaskOutlet {
  isStopping(): boolean;
  entries(): Iterable<Entry>;
  askAbout(taskId: string): Promise<PollEnd>;
  adopt(item: Item, taskId: string): void;
}

export class CallbackTasks {
  readonly #ports: CallbackTaskPorts;
  readonly #policy: Policy;
  readonly #outlet: CallbackTaskOutlet;
  /** Whether all times the service gives for known tasks are right; null before the first one. */
  #hasTrueTimes: boolean | null = null;

  constructor(ports: CallbackTaskPorts, policy: Policy, outlet: CallbackTaskOutlet) {
    this.#ports = ports;
    this.#policy = policy;
    this.#outlet = outlet;
  }

  /** A row with a known task shows whether the service's times are reliable. */
  noteKnown(item: Item): void {
    const isMade = isMadeForRow(item, item.createdAt, this.#policy.requestTimeoutMs);
    if (isMade !== null) this.#hasTrueTimes = isMade && this.#hasTrueTimes !== false;
  }

  /** Adopts the task for the item with this key, if it may be its task. */
  async tryTask(key: number, taskId: string): Promise<void> {
    await this.#creationsAnswered();
    if (this.#outlet.isStopping()) return;
    const candidate = await this.#adoptable(key, taskId);
    if (candidate === null) return;
    const end = await this.#outlet.askAbout(taskId);
    const { requestTimeoutMs } = this.#policy;
    if (!canBeTaskOf(candidate, end, { requestTimeoutMs, hasTrueTimes: this.#hasTrueTimes === true })) return;
    // Loaded again: another callback may have settled the item meanwhile.
    const item = await this.#adoptable(key, taskId);
    if (item !== null && !this.#outlet.isStopping()) this.#outlet.adopt(item, taskId);
  }

  /** The task may belong to a creation in flight, so this waits for the current ones. */
  async #creationsAnswered(): Promise<void> {
    const isUnanswered = ({ item }: Entry): boolean => item.status === 'submitting';
    const before = [...this.#outlet.entries()].filter(isUnanswered);
    while (!this.#outlet.isStopping() && before.some(isUnanswered))
      await this.#ports.clock.wait(fixed.callbackPauseMs);
  }

  async #adoptable(key: number, taskId: string): Promise<Item | null> {
    const { checkpoint } = this.#ports;
    const item = await checkpoint.itemWithKey(key);
    if (item?.status !== 'uncertain') return null;
    // One that an earlier attempt of this very row has is announced again: what the row was sent for last may be another one.
    return (await checkpoint.itemOfTask(taskId)) === null ? item : null;
  }
}
