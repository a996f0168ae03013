/** The real clock. */

import type { Clock } from '../ports.ts';

/** Timers take 32 bits; a longer pause would end at once. */
const longestTimerMs = 2 ** 31 - 1;

/**
 * Time as the machine tells it. A wait beyond 24 days ends early: callers look at the time again. Not by the timers that reject
 * when they are aborted: a run wakes up a thousand times a second, and each error takes as long as a file does to open.
 */
export const systemClock: Clock = {
  now: () => Date.now(),
  steady: () => performance.now(),
  wait: (ms, signal) =>
    new Promise((resolve) => {
      if (signal?.aborted) {
        resolve();
        return;
      }
      const end = (): void => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', end);
        resolve();
      };
      const timer = setTimeout(end, Math.min(ms, longestTimerMs));
      signal?.addEventListener('abort', end);
    }),
};
