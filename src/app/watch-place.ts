/** Watches over the place of a run and of its outputs while a session runs. */

import { messageOf } from '../errors.ts';
import { fixed } from '../money/policy.ts';
import { systemClock } from './system-clock.ts';

/** Calls `lost` when the place is moved or replaced: the checkpoint and new files would be in different folders. */
export async function watchPlace(
  check: () => void,
  signal: AbortSignal,
  lost: (failure: string) => void,
): Promise<void> {
  while (!signal.aborted) {
    try {
      check();
    } catch (error) {
      lost(messageOf(error));
      return;
    }
    await systemClock.wait(fixed.placeCheckMs, signal);
  }
}
