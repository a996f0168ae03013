/** Watches over the place of the outputs while a session goes on. */

import { messageOf } from '../errors.ts';
import { fixed } from '../money/policy.ts';
import { systemClock } from './system-clock.ts';

/** Stops the run when its folder is moved or replaced: the checkpoint and new files would be in different folders. */
export async function watchTree(
  tree: { check(): void },
  signal: AbortSignal,
  lost: (failure: string) => void,
): Promise<void> {
  while (!signal.aborted) {
    try {
      tree.check();
    } catch (error) {
      lost(messageOf(error));
      return;
    }
    await systemClock.wait(fixed.placeCheckMs, signal);
  }
}
