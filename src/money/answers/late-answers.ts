/**
 * What becomes of a task that is known late: its answer came after its row had moved on, a callback names it, a full disk kept
 * its id in a journal, or a machine remembers a creation that its store has forgotten. Each of these ways in asks here.
 */

import { moveAtRest } from '../at-rest.ts';
import type { Item, Quality } from '../item.ts';
import { defaultPolicy } from '../policy.ts';
import { isSameTask } from '../task-id.ts';
import { isLegal, transition } from '../transition.ts';
import { isMadeForRow } from './made-for-row.ts';
import { unheard } from './silent-creation.ts';
import type { PollEnd } from './status-answer.ts';

/** An attempt as the checkpoint has it. */
export interface AttemptNow {
  /** Null while none is known. */
  readonly taskId: string | null;
  /** True where a user named the task: his word gives way to the answer of the service. */
  readonly isNamed: boolean;
  /** Its row while this is the row's last attempt; null once the row has another. */
  readonly item: Item | null;
}

/** What a late task does to its attempt. */
export type LateTask =
  /** The attempt has it already. */
  | { readonly type: 'known' }
  /** Its row waits for it, and becomes `after`. */
  | { readonly type: 'settles'; readonly before: Item; readonly after: Item }
  /** The row has left the attempt, which keeps the task instead of `before`: it was paid for. */
  | { readonly type: 'superseded'; readonly before: string | null }
  /** There is no such attempt, it has another task, or it surely made none. */
  | { readonly type: 'refused' };

/** The service answered the attempt with this task, whenever that is learned. `at` is epoch ms. */
export function judgeLateTask(attempt: AttemptNow | null, taskId: string, at: number): LateTask {
  if (attempt === null) return { type: 'refused' };
  const { item, taskId: before, isNamed } = attempt;
  if (before !== null && isSameTask(before, taskId)) return { type: 'known' };
  if (item === null) return before === null || isNamed ? { type: 'superseded', before } : { type: 'refused' };
  if (!isLegal(item.status, 'creation-accepted')) return { type: 'refused' };
  const after = moveAtRest(item, { type: 'creation-accepted', at, taskId });
  // A task that the service itself gave the attempt before stays.
  if (after.taskId === null || !isSameTask(after.taskId, taskId)) return { type: 'refused' };
  return { type: 'settles', before: item, after };
}

/**
 * Whether a task that a caller names for an uncertain row can be its own: the service knows it, and its creation time does not
 * contradict the row. `hasTrueTimes`: the times of tasks with known rows are right.
 */
export function canBeTaskOf(
  item: Item,
  end: PollEnd,
  { requestTimeoutMs, hasTrueTimes }: { readonly requestTimeoutMs: number; readonly hasTrueTimes: boolean },
): boolean {
  if (end.type === 'task-progressed') return true;
  if (end.type !== 'task-completed' && end.type !== 'task-failed') return false;
  return !hasTrueTimes || isMadeForRow(item, end.ending.createdAt, requestTimeoutMs) !== false;
}

/** A creation that left a machine, as that machine remembers it. */
export interface SentCreation {
  /** Of its attempt. */
  readonly token: string;
  /** Key and id of its item. */
  readonly key: number;
  readonly id: string;
  readonly attempt: number;
  readonly requestHash: string | null;
  readonly quality: Quality | null;
  /** Epoch ms. */
  readonly submittedAt: number;
  /** Null where it is not known. */
  readonly taskId: string | null;
  /** True where it surely made no task. */
  readonly isVoid: boolean;
}

/**
 * The states that the item goes through, to be saved in one commit. `later`: while an earlier attempt is on its way.
 * `needless`: whatever became of the creation, the row has moved on and is not paid for again because of it.
 */
export type PutBack = readonly Item[] | 'later' | 'needless';

/** `at` is epoch ms. The token of `sent` is in no attempt of the item. */
export function putBack(item: Item, sent: SentCreation, at: number): PutBack {
  if (item.attempt >= sent.attempt) {
    if (sent.isVoid) return 'needless';
    if (sent.taskId === null && item.status !== 'pending') return 'needless';
    if (item.attempt > sent.attempt && sent.taskId !== null && (item.submittedAt ?? 0) > sent.submittedAt)
      return beforeOthers(item, sent, sent.taskId);
  }
  const waiting = untilPending(item, at);
  if (waiting === null) return 'later';
  const steps = waiting === item ? [] : [waiting];
  const { token, requestHash, quality, submittedAt, taskId } = sent;
  const claimed = move({ ...waiting, attempt: Math.max(waiting.attempt, sent.attempt - 1) }, {
    type: 'claimed',
    at: submittedAt,
    token,
    quality,
    aside: null,
    requestHash: requestHash ?? '',
  } as const);
  const failure = unheard.forgotten;
  if (sent.isVoid) return [...steps, claimed, move(claimed, { type: 'creation-not-sent', at, failure })];
  if (taskId !== null) return [...steps, claimed, move(claimed, { type: 'creation-accepted', at, taskId })];
  return [...steps, claimed, move(claimed, { type: 'creation-uncertain', at, failure, origin: 'bare' })];
}

/** The row has a later attempt, which stays; the service is asked what the earlier one cost. */
function beforeOthers(item: Item, sent: SentCreation, taskId: string): readonly Item[] {
  const { attempt, token, requestHash, quality, submittedAt } = sent;
  const { version } = item;
  const earlier: Item = {
    ...item,
    attempt,
    token,
    requestHash,
    quality,
    submittedAt,
    taskId,
    status: 'open',
    endedAt: null,
    points: null,
    failure: null,
    version: version + 1,
  };
  return [earlier, { ...item, version: version + 2 }];
}

/** The item without its last attempt, which has ended; null while it is on its way. */
function untilPending(item: Item, at: number): Item | null {
  switch (item.status) {
    case 'pending':
      return item;
    case 'submitting':
    case 'open':
    case 'downloading':
      return null;
    case 'uncertain':
      // A later creation proves that somebody settled it.
      return move(item, { type: 'not-created', at });
    case 'invalid':
      return move(item, { type: 'question-changed', at, failure: null });
    default:
      return move(item, { type: 'retry-ordered', at });
  }
}

function move(item: Item, event: Parameters<typeof transition>[1]): Item {
  return transition(item, event, defaultPolicy).item;
}
