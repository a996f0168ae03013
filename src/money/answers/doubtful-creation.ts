/** What speaks against the word that a creation of unknown outcome made no task: it was sent a moment ago, or answered. */

import type { Item } from '../item.ts';
import { fixed } from '../policy.ts';
import { isUnanswered } from './silent-creation.ts';

/** When the task of a creation would have been made, in epoch ms. A slow service may be some minutes later. */
export interface CreationSpan {
  readonly after: number;
  readonly before: number;
}

/** `at` where the time of the creation is not known. `requestTimeoutMs` is the deadline of a request. */
export function creationSpan(
  { submittedAt }: Pick<Item, 'submittedAt'>,
  requestTimeoutMs: number,
  at: number,
): CreationSpan {
  const after = submittedAt ?? at;
  return { after, before: after + fixed.sendWindowMs + requestTimeoutMs };
}

/** `young`: the task may still be made. `answered`: an answer came, and none that says that there is no task. */
export type Doubt = 'young' | 'answered';

/** Of an uncertain row; null where nothing speaks against that word. `now` is epoch ms. */
export function doubtOf(item: Item, requestTimeoutMs: number, now: number): Doubt | null {
  if (item.status !== 'uncertain') return null;
  if (creationSpan(item, requestTimeoutMs, now).before > now) return 'young';
  return isUnanswered(item.failure ?? '') ? null : 'answered';
}
