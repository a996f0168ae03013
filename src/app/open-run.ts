/** Opens a run where the invocation says it is: in its output folder, or in a store that machines share. */

import type { Invocation } from './options/invocation.ts';
import { folderPlace } from './place/folder-place.ts';
import type { RunPlace } from './place/run-place.ts';
import type { OpenRun, OpenTree, SeenRun } from './run-handles.ts';

/** Where the run is. Nothing of a store that machines share is loaded for a run in a folder. */
export async function placeOf({ shared }: Pick<Invocation, 'shared'>): Promise<RunPlace> {
  return shared === null ? folderPlace : (await import('./fleet/shared-place.ts')).sharedPlace;
}

/** Opens an earlier run for work; `pays` where rows may be paid for, now or by others. */
export async function openExistingRun(invocation: Invocation, pays: boolean): Promise<OpenRun> {
  return (await placeOf(invocation)).openExisting(invocation, pays);
}

/** Opens the run read-only, even while it is active. Throws `UsageError` where there is none. */
export async function lookIntoRun(invocation: Invocation): Promise<SeenRun> {
  const place = await placeOf(invocation);
  const seen = await place.look(invocation);
  if (seen === null) throw place.noRun(invocation);
  return seen;
}

/** Opens the files of a run. Throws `DiskError`. */
export async function openTree(opened: OpenRun): Promise<OpenTree> {
  return (await placeOf(opened.invocation)).openTree(opened);
}
