/** The time left of a run, as far as its rows alone show it: for a page, or a command next to the run. */

import type { Status } from '../item.ts';
import { type Forecast, type KnownPoints, paceTasks, rowsToCome, timeLeft } from './progress.ts';

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

/** What is known of a run besides its rows. */
export interface SeenLimits extends KnownPoints {
  /** `--limit`, and since when rows count (epoch ms); null for none. */
  readonly limit: { readonly rows: number; readonly since: number } | null;
  /** The rows that wait and that somebody has ordered to send; null for all. */
  readonly ordered: number | null;
}

/** `leftMs` is the time until all tasks have ended that will be made; null where unknown. `now` is epoch ms. */
export function courseOfRun(
  seen: Iterable<SeenRow>,
  points: SeenLimits,
  now: number,
): Pick<Forecast, 'leftMs' | 'stop'> {
  const latest: { readonly endedAt: number; readonly ms: number }[] = [];
  let pending = 0;
  let busy = 0;
  let submitted = 0;
  const { limit } = points;
  let latestAt: number | null = null;
  for (const { status, row, taskId, submittedAt, endedAt, seconds } of seen) {
    if (status === 'pending' && row !== null) pending += 1;
    if (limit !== null && submittedAt !== null && submittedAt >= limit.since) submitted += 1;
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
  const waiting = Math.min(pending, points.ordered ?? pending);
  const { rows, stop } = rowsToCome({
    waiting,
    allowed: limit === null ? waiting : Math.min(waiting, Math.max(0, limit.rows - submitted)),
    reserved: busy * (points.each ?? 0),
    points,
    untilHalt: Number.POSITIVE_INFINITY,
  });
  return { leftMs: timeLeft(durations, { rows, busy, slots: busy, latestAt }, now), stop };
}

function durationOf(seenMs: number, seconds: number | null): number {
  const ms = Math.max(0, seenMs);
  return seconds !== null && ms - seconds * 1_000 > unseenMs ? seconds * 1_000 : ms;
}
