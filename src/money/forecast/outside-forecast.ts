/** The time left of a run, as somebody can tell who sees only its rows: a page, or a command beside the run. */

import type { Status } from '../item.ts';
import { affordableRows, type KnownPoints, paceTasks, timeLeft } from './progress.ts';

/** What is seen of a row. Times are epoch ms. */
export interface SeenRow {
  readonly status: Status;
  /** Null for a row that is no longer in the input: it is not submitted. */
  readonly row: number | null;
  readonly taskId: string | null;
  readonly submittedAt: number | null;
  readonly endedAt: number | null;
  /** How long the service says that the task took; null where it does not say. */
  readonly seconds: number | null;
}

/** A task that seems to take this much longer (ms) than the service says ended while nobody asked about it. */
const unseenMs = 120_000;

/** Time (ms) until all tasks have ended; null where unknown. `now` is epoch ms. */
export function leftOfRun(seen: Iterable<SeenRow>, points: KnownPoints, now: number): number | null {
  const latest: { readonly endedAt: number; readonly ms: number }[] = [];
  let pending = 0;
  let busy = 0;
  let latestAt: number | null = null;
  for (const { status, row, taskId, submittedAt, endedAt, seconds } of seen) {
    if (status === 'pending' && row !== null) pending += 1;
    if (status === 'submitting' || status === 'open') {
      busy += 1;
      latestAt = Math.max(latestAt ?? 0, submittedAt ?? 0);
    } else if (taskId !== null && submittedAt !== null && endedAt !== null) {
      if (latest.length === paceTasks && endedAt <= Number(latest[0]?.endedAt)) continue;
      const place = latest.findLastIndex((other) => other.endedAt <= endedAt) + 1;
      latest.splice(place, 0, { endedAt, ms: durationOf(endedAt - submittedAt, seconds) });
      if (latest.length > paceTasks) latest.shift();
    }
  }
  const durations = latest.map(({ ms }) => ms);
  const rows = affordableRows(pending, busy * (points.each ?? 0), points);
  return timeLeft(durations, { rows, busy, slots: busy, latestAt }, now);
}

function durationOf(seenMs: number, seconds: number | null): number {
  const ms = Math.max(0, seenMs);
  return seconds !== null && ms - seconds * 1_000 > unseenMs ? seconds * 1_000 : ms;
}
