/**
 * Puts a creation back into a run whose store has forgotten it, such as a backup that was restored: what a machine knows to
 * have left it is in the run again before anything else is paid for.
 */

import type { Item, Quality } from './item.ts';
import { defaultPolicy } from './policy.ts';
import { transition } from './transition.ts';

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
    ...{ type: 'claimed', at: submittedAt, token, quality, aside: null },
    requestHash: requestHash ?? '',
  } as const);
  const failure = 'the store had forgotten this creation';
  if (sent.isVoid) return [...steps, claimed, move(claimed, { type: 'creation-not-sent', at, failure })];
  if (taskId !== null) return [...steps, claimed, move(claimed, { type: 'creation-accepted', at, taskId })];
  return [...steps, claimed, move(claimed, { type: 'creation-uncertain', at, failure, origin: 'bare' })];
}

/** The row has a later attempt, which stays; the service is asked what the earlier one cost. */
function beforeOthers(item: Item, sent: SentCreation, taskId: string): readonly Item[] {
  const { attempt, token, requestHash, quality, submittedAt } = sent;
  const { version } = item;
  const earlier: Item = {
    ...{ ...item, attempt, token, requestHash, quality, submittedAt, taskId },
    ...{ status: 'open', endedAt: null, points: null, failure: null, version: version + 1 },
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
