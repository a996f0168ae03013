/** Whether a task was made when a row was submitted, as far as the service's times show. */

import type { Item } from '../item.ts';
import { daysSinceEpoch } from './retry-after.ts';

/** Tolerance (ms) for clocks that differ: times further apart are not of the same creation. */
const skewMs = 10 * 60_000;

/** A time with its zone (ISO 8601, extended); without a zone the moment is ambiguous. */
const wholeTime =
  /^(?<year>\d{4})-(?<month>\d{2})-(?<day>\d{2})T(?<hour>\d{2}):(?<minute>\d{2})(?::(?<second>\d{2}))?(?:[.,]\d+)?(?:Z|(?<sign>[+-])(?<offsetHour>\d{2}):?(?<offsetMinute>\d{2}))$/i;

/** Epoch ms of such a time, to the second; null for anything else. */
function parseTime(text: string): number | null {
  const parts = wholeTime.exec(text)?.groups;
  if (parts === undefined) return null;
  const part = (name: string): number => Number(parts[name] ?? 0);
  if (part('month') < 1 || part('month') > 12 || part('day') < 1 || part('day') > 31 || part('hour') > 23)
    return null;
  const offset = (part('offsetHour') * 60 + part('offsetMinute')) * (parts.sign === '-' ? -1 : 1);
  const minutes =
    daysSinceEpoch(part('year'), part('month'), part('day')) * 1_440 + part('hour') * 60 + part('minute');
  return ((minutes - offset) * 60 + part('second')) * 1_000;
}

/** Whether the service says the task was made when this row was submitted; null where the times do not show it. */
export function isMadeForRow(
  { submittedAt }: Pick<Item, 'submittedAt'>,
  createdAt: string | null,
  requestTimeoutMs: number,
): boolean | null {
  const madeAt = parseTime(createdAt?.trim() ?? '');
  if (submittedAt === null || madeAt === null) return null;
  return madeAt >= submittedAt - skewMs && madeAt <= submittedAt + requestTimeoutMs + skewMs;
}
