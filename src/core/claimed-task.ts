/** Whether a task that somebody names for an uncertain row can be the one that its creation made. */

import type { Item } from './item.ts';
import type { StatusVerdict } from './service-answer.ts';

/** Clocks of two machines differ; further apart than this (ms), two times are not those of one creation. */
const skewMs = 10 * 60_000;

/** A time with its zone: without one nobody knows which moment is meant. */
const wholeTime = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}.*(?:Z|[+-]\d{2}:?\d{2})$/i;

/** Whether the service says that a task was made when this row was submitted; null where nothing tells. */
export function isMadeForRow(
  { submittedAt }: Pick<Item, 'submittedAt'>,
  createdAt: string | null,
  requestTimeoutMs: number,
): boolean | null {
  const text = createdAt?.trim() ?? '';
  const madeAt = wholeTime.test(text) ? Date.parse(text) : Number.NaN;
  if (submittedAt === null || Number.isNaN(madeAt)) return null;
  return madeAt >= submittedAt - skewMs && madeAt <= submittedAt + requestTimeoutMs + skewMs;
}

/**
 * True where the service knows the task, and what it says of its time does not speak against this row. `hasTrueTimes`: the times
 * of tasks whose rows are known are right.
 */
export function canBeTaskOf(
  item: Item,
  answer: StatusVerdict,
  { requestTimeoutMs, hasTrueTimes }: { readonly requestTimeoutMs: number; readonly hasTrueTimes: boolean },
): boolean {
  if (answer.outcome === 'progressed') return true;
  if (answer.outcome !== 'completed' && answer.outcome !== 'failed') return false;
  return !hasTrueTimes || isMadeForRow(item, answer.ending.createdAt, requestTimeoutMs) !== false;
}
