import { expect, test } from 'vitest';
import { isWaitOver, openWait, type TickNews, waitTick } from '../../../src/money/answers/task-wait.ts';
import { fixed } from '../../../src/money/policy.ts';

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

/** Ticks a minute apart: `goes on 3` are three of one kind. */
type Ticks = readonly (readonly [news: TickNews, count: number])[];

/** The tick (from 1) at which the wait is over; null where it goes on. */
function overAt(ticks: Ticks, taskTimeoutMs: number, ageMs = 0): number | null {
  let wait = openWait(ageMs, 0);
  let tick = 0;
  for (const [news, count] of ticks)
    for (let times = 0; times < count; times++) {
      tick += 1;
      wait = waitTick(wait, news, tick * minute, { taskTimeoutMs });
      if (isWaitOver(wait)) return tick;
    }
  return null;
}

test.each<[string, Ticks, number | null]>([
  ['the task goes on at each tick', [['goes on', 20]], 12],
  ['nothing is heard', [['nothing', 1_000]], null],
  [
    'nothing is heard for hours, and it goes on then',
    [
      ['goes on', 5],
      ['nothing', 500],
      ['goes on', 20],
    ],
    513,
  ],
  [
    'a tick without an answer stands between the two past the time',
    [
      ['goes on', 11],
      ['nothing', 1],
      ['goes on', 1],
    ],
    13,
  ],
  [
    'another answer stands between them',
    [
      ['goes on', 11],
      ['other', 1],
      ['goes on', 2],
    ],
    14,
  ],
  ['it is not known', [['other', 1_000]], null],
  [
    'it is known again after its time',
    [
      ['other', 20],
      ['goes on', 2],
    ],
    22,
  ],
])('of ten minutes is over as it should be where %s', (_name, ticks, over) => {
  expect(overAt(ticks, 10 * minute)).toBe(over);
});

test.each<[string, number, number, number | null]>([
  ['made now', 0, 6 * hour, 6 * 60 + 2],
  ['that is an hour old', hour, 6 * hour, 5 * 60 + 2],
  ['older than its time', 7 * hour, 6 * hour, 32],
  ['of yesterday, or by a clock that was set forward by a day', day, 6 * hour, 32],
  ['of tomorrow, by a clock that was set back', -day, 6 * hour, 6 * 60 + 2],
  ['of yesterday, with a time shorter than what is always waited for', day, 10 * minute, 12],
])('a task %s is waited for with answers (%i ms old, %i ms at most)', (_name, ageMs, taskTimeoutMs, over) => {
  expect(fixed.answeredWaitMs).toBe(30 * minute);
  expect(overAt([['goes on', 1_000]], taskTimeoutMs, ageMs)).toBe(over);
});
