/** From a status answer to a fact about the item, if it brought one. */

import type { Item, ItemEvent } from '../core/item.ts';
import { fixed, type Policy } from '../core/policy.ts';
import type { StatusAnswer } from '../ports.ts';

/** What the run knows of a task besides its item. Times count what this run has seen of it, and no sleep. */
export interface PolledTask {
  /** When the answer came (epoch ms). */
  readonly at: number;
  /** How long the task had been in the making when it was asked about (ms). */
  readonly ageMs: number;
  /** Ticks in a row, this one included, at which the service says that it goes on and it is past its time. */
  readonly overdueTicks: number;
  /** How long the service has said that it does not know the task (ms). */
  readonly unknownMs: number;
  /** True for an answer to the shared tick. */
  readonly isTick: boolean;
}

/** True when the task is past its time: only the word of the service counts, or a night without it would end every task. */
export function isPastTime({ ageMs }: Pick<PolledTask, 'ageMs'>, policy: Policy): boolean {
  return ageMs > policy.taskTimeoutMs;
}

/** The event of this answer; null when it changes nothing. */
export function statusEvent(
  answer: StatusAnswer,
  item: Item,
  task: PolledTask,
  policy: Policy,
): ItemEvent | null {
  const { at } = task;
  switch (answer.outcome) {
    case 'progressed':
      if (item.status === 'open' && task.overdueTicks >= fixed.overdueTicks) return overdue(at, policy);
      return { type: 'task-progressed', at, frames: answer.frames };
    case 'completed': {
      const { outcome: _, ...facts } = answer;
      return { type: 'task-completed', at, ...facts };
    }
    case 'failed':
      return { type: 'task-failed', at, ending: answer.ending, failure: answer.failure };
    case 'not-found': {
      const { failure } = answer;
      // Right after its creation a task may not be known everywhere yet: only the ticks count.
      return task.isTick ? { type: 'task-not-found', at, failure, unknownMs: task.unknownMs } : null;
    }
    case 'key-refused':
    case 'unanswered':
      return null;
  }
}

function overdue(at: number, policy: Policy): ItemEvent {
  const minutes = Math.round(policy.taskTimeoutMs / 6_000) / 10;
  return {
    type: 'task-overdue',
    at,
    failure: `the task did not end within ${minutes} minutes (--task-timeout)`,
  };
}
