/** From a status answer to a fact about the item, if it brought one. */

import type { Item, ItemEvent } from '../core/item.ts';
import type { Policy } from '../core/policy.ts';
import { isOverdue } from '../core/tick.ts';
import type { StatusAnswer } from '../ports.ts';

/** Answers in a row that said nothing, before waiting in vain counts against `--task-timeout`. */
const silentPolls = 3;

/**
 * The event of this answer; null when it changes nothing. A task is overdue only on the word of the service, or when
 * the service has been silent for several ticks: a computer that slept must not give up what it has not asked about.
 */
export function judgeStatus(
  answer: StatusAnswer,
  item: Item,
  poll: {
    readonly at: number;
    /** When the poll left: an answer that lay in the line while the computer slept says nothing of the hours after. */
    readonly askedAt: number;
    readonly policy: Policy;
    readonly silentPolls: number;
    readonly watchedSince: number;
    readonly isTick: boolean;
  },
): ItemEvent | null {
  const { at, askedAt, policy } = poll;
  switch (answer.outcome) {
    case 'progressed':
      if (item.status === 'open' && isOverdue(item, askedAt, policy)) return overdue(at, policy);
      return { type: 'task-progressed', at, frames: answer.frames };
    case 'completed': {
      const { ending, videoUrl, frames } = answer;
      return { type: 'task-completed', at, ending, videoUrl, frames };
    }
    case 'failed':
      return { type: 'task-failed', at, ending: answer.ending, failure: answer.failure };
    case 'not-found':
      // Right after its creation a task may not be known everywhere yet: only the ticks count.
      return poll.isTick ? { type: 'task-not-found', at, failure: answer.failure } : null;
    case 'key-refused':
      return null;
    case 'unanswered': {
      if (poll.silentPolls < silentPolls) return null;
      const isTooLong =
        item.status === 'open'
          ? isOverdue(item, askedAt, policy)
          : askedAt - poll.watchedSince > policy.taskTimeoutMs;
      return isTooLong ? overdue(at, policy) : null;
    }
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
