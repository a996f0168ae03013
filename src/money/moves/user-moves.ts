/** What the user orders or finds out: a new attempt, another text, the task of a row, or that there is none. */

import { earlierFiles, keepSaved } from '../artifacts.ts';
import { forgottenTask } from '../item.ts';
import { isSameTask } from '../task-id.ts';
import { become, ignoreLate, type Move } from './move.ts';

/** Detaches an item from its last attempt: without the token no change is written to that attempt any more. */
const withoutAttempt = { token: null, notBefore: 0, turn: 'first' } as const;

export const orderRetry: Move<'retry-ordered'> = (item, { quality }) =>
  become(item, {
    ...forgottenTask,
    ...withoutAttempt,
    status: 'pending',
    quality: quality ?? item.quality,
    requestHash: null,
    submittedAt: null,
    endedAt: null,
    artifacts: keepSaved(item),
  });

/** Its files are as they were: they are set aside when an attempt is claimed. */
export const endOrder: Move<'order-ended'> = (item, { last }) => become(item, { ...withoutAttempt, ...last });

export const changeQuestion: Move<'question-changed'> = (item, event) =>
  event.failure === null
    ? become(item, { ...withoutAttempt, status: 'pending', failure: null })
    : become(item, { ...withoutAttempt, status: 'invalid', failure: event.failure });

export const findUnsendable: Move<'question-unsendable'> = (item, event) =>
  become(item, { status: 'invalid', failure: event.failure });

/** The task did not come as the answer to this attempt's request, so a better match may replace it later. */
export const adopt: Move<'task-adopted'> = (item, event) =>
  become(
    item,
    {
      ...forgottenTask,
      status: 'open',
      taskId: event.taskId,
      requestHash: null,
      submittedAt: event.at,
      endedAt: null,
      artifacts: earlierFiles(item),
    },
    [{ type: 'poll' }],
  );

/**
 * The task in the service's own answer replaces one that the user named, whatever became of that one: it was paid for by this
 * row, and its video is the one of this row. Where it was dropped, nobody would ever ask what it cost.
 */
export const preferOwnTask: Move<'creation-accepted'> = (item, { at, taskId }, policy) =>
  item.requestHash !== null || (item.taskId !== null && isSameTask(item.taskId, taskId))
    ? ignoreLate(item)
    : adopt(item, { type: 'task-adopted', at, taskId }, policy);

export const writeOff: Move<'not-created'> = (item) =>
  become(item, { ...forgottenTask, status: 'pending', points: 0, notBefore: 0 });
