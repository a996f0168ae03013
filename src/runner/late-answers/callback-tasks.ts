/**
 * Tasks that callbacks name for uncertain rows. Anyone may call, so a task is adopted only when the service knows it,
 * no row has it, no creation in flight could own it, and its times do not contradict the row.
 */

import { canBeTaskOf } from '../../money/answers/late-answers.ts';
import { isMadeForRow } from '../../money/answers/made-for-row.ts';
import type { Item } from '../../money/item.ts';
import { fixed } from '../../money/policy.ts';
import type { RunContext } from '../context.ts';
import type { Effects } from '../effects.ts';
import type { Entry } from '../entry.ts';

export class CallbackTasks {
  readonly #run: RunContext;
  readonly #effects: Effects;
  /** Whether all times the service gives for known tasks are right; null before the first one. */
  #hasTrueTimes: boolean | null = null;

  constructor(run: RunContext, effects: Effects) {
    this.#run = run;
    this.#effects = effects;
  }

  /** A row with a known task shows whether the service's times are reliable. */
  noteKnown(item: Item): void {
    const isMade = isMadeForRow(item, item.createdAt, this.#run.options.policy.requestTimeoutMs);
    if (isMade !== null) this.#hasTrueTimes = isMade && this.#hasTrueTimes !== false;
  }

  /** Adopts the task for the item with this key, if it may be its task. */
  async tryTask(key: number, taskId: string): Promise<void> {
    await this.#creationsAnswered();
    if (this.#run.isStopping()) return;
    const candidate = await this.#adoptable(key, taskId);
    if (candidate === null) return;
    const end = await this.#effects.askAbout(taskId);
    const { requestTimeoutMs } = this.#run.options.policy;
    if (!canBeTaskOf(candidate, end, { requestTimeoutMs, hasTrueTimes: this.#hasTrueTimes === true })) return;
    // Loaded again: another callback may have settled the item meanwhile.
    const item = await this.#adoptable(key, taskId);
    if (item !== null && !this.#run.isStopping()) this.#adopt(item, taskId);
  }

  #adopt(item: Item, taskId: string): void {
    const { entries, ports } = this.#run;
    if (entries.has(item.key)) return;
    this.#run.post(entries.add(item), { type: 'task-adopted', at: ports.clock.now(), taskId });
  }

  /** The task may belong to a creation in flight, so this waits for the current ones. */
  async #creationsAnswered(): Promise<void> {
    const isUnanswered = ({ item }: Entry): boolean => item.status === 'submitting';
    const before = [...this.#run.entries.all()].filter(isUnanswered);
    while (!this.#run.isStopping() && before.some(isUnanswered))
      await this.#run.ports.clock.wait(fixed.callbackPauseMs);
  }

  async #adoptable(key: number, taskId: string): Promise<Item | null> {
    const { checkpoint } = this.#run.ports;
    const item = await checkpoint.itemWithKey(key);
    if (item?.status !== 'uncertain') return null;
    // One that an earlier attempt of this very row has is announced again: what the row was sent for last may be another one.
    return (await checkpoint.itemOfTask(taskId)) === null ? item : null;
  }
}
