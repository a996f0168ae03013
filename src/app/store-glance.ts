/** A glance at the store of a folder that loads none of it, for what is printed before the work is loaded. */

import { hasCheckpointHead } from '../stores/sqlite/checkpoint-head.ts';

/** True when a run seems to be kept in this folder. Throws when that cannot be seen. */
export function seemsToHoldRun(folder: string): boolean {
  return hasCheckpointHead(folder);
}
