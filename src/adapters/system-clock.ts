/** The real clock. */

import { setTimeout as sleep } from 'node:timers/promises';
import type { Clock } from '../ports.ts';

/** Timers take 32 bits; a longer pause would end at once. */
const longestTimerMs = 2 ** 31 - 1;

/** Time as the machine tells it. A wait beyond 24 days ends early: callers look at the time again. */
export const systemClock: Clock = {
  now: () => Date.now(),
  wait: (ms, signal) =>
    sleep(Math.min(ms, longestTimerMs), undefined, signal === undefined ? {} : { signal }).catch(() => {}),
};
