/** The real clock. */

import type { Clock } from '../ports.ts';
import type { Sharing } from '../stores/port/sharing.ts';
import type { Store } from '../stores/port/store.ts';

/** Timers are 32 bits; a longer pause would end at once. */
const longestTimerMs = 2 ** 31 - 1;

/**
 * The system's time. A wait beyond 24 days ends early: callers check the time again. Not built on the promise timers,
 * which reject on abort: a run wakes up a thousand times a second, and creating an error takes as long as opening a
 * file.
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

/** The clock of this machine, set to the time of the store: machines compare times by it. */
export async function clockOf(sharing: Sharing): Promise<Clock> {
  const before = systemClock.now();
  const there = await sharing.now();
  const offsetMs = there - (before + systemClock.now()) / 2;
  return { ...systemClock, now: () => Math.round(systemClock.now() + offsetMs) };
}

/** The time (epoch ms) as it is saved with the run, and compared with what is: that of the store where machines share it. */
export async function timeOf({ sharing }: Pick<Store, 'sharing'>): Promise<number> {
  return (await sharing?.now()) ?? systemClock.now();
}
