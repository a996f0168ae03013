/** Opens a run where the invocation says it is: in its output folder, or in a store that machines share. */

import { openFileOutputTree } from '../outputs/file-output-tree.ts';
import type { Store } from '../stores/port/store.ts';
import type { Invocation } from './options/invocation.ts';
import { noRun, openExistingFolder, openFolder, openToLook } from './output-folder.ts';
import type { OpenRun, OpenTree, SeenRun, StoreImages } from './run-handles.ts';
import { storeIn } from './stores.ts';
import { systemClock } from './system-clock.ts';

/** What is done otherwise where machines share the run. Null, and nothing of it is loaded, for a run in a folder. */
export async function sharedPlace({ shared }: Pick<Invocation, 'shared'>) {
  return shared === null ? null : await import('./fleet/shared-place.ts');
}

/** Opens the run for work, creating it if needed. Throws `HeldError` when another process has the folder. */
export async function openRun(invocation: Invocation): Promise<OpenRun> {
  const place = await sharedPlace(invocation);
  return (
    place?.openSharedRun(invocation) ??
    inFolder(await openFolder(invocation.out, { shown: invocation.outShown }), invocation)
  );
}

/** Opens an earlier run for work; `pays` where rows may be paid for, now or by others. */
export async function openExistingRun(invocation: Invocation, pays: boolean): Promise<OpenRun> {
  const place = await sharedPlace(invocation);
  if (place !== null) return place.openExistingSharedRun(invocation, pays);
  return inFolder(await openExistingFolder(invocation.out, { shown: invocation.outShown }), invocation);
}

function inFolder(store: Store, invocation: Invocation): OpenRun {
  return { store, invocation, [Symbol.asyncDispose]: () => store[Symbol.asyncDispose]() };
}

/** Opens the run read-only, even while it is active; null where there is none. */
export async function openRunToLook(invocation: Invocation): Promise<SeenRun | null> {
  const shared = await sharedPlace(invocation);
  if (shared !== null) return shared.lookAtSharedRun(invocation);
  const store = await openToLook(invocation.out);
  if (store === null) return null;
  const place = storeIn(invocation.out);
  return { ...inFolder(store, invocation), isHeld: await place.isHeld(), holder: await place.holder() };
}

/** The same. Throws `UsageError` where there is none. */
export async function lookIntoRun(invocation: Invocation): Promise<SeenRun> {
  const seen = await openRunToLook(invocation);
  if (seen === null) throw noRun(invocation);
  return seen;
}

/** Opens the files of a run. Throws `DiskError`. */
export async function openTree(opened: OpenRun): Promise<OpenTree> {
  const place = await sharedPlace(opened.invocation);
  if (place !== null) return place.openSharedTree(opened);
  const tree = await openFileOutputTree(opened.invocation.out, systemClock.now);
  return { tree, [Symbol.asyncDispose]: async () => {} };
}

type MadeRun = Pick<OpenRun, 'store' | 'invocation'>;

/** Marks the outputs of a run that is made, so that other machines know whether they see the same. */
export async function markMadeRun(run: MadeRun): Promise<void> {
  await (await sharedPlace(run.invocation))?.markOutputs(run, true);
}

/** Where local pictures of an imported file are stored for other machines; nothing for a run in a folder. */
export async function imageStoreOf(run: MadeRun): Promise<{ readonly storeImages?: StoreImages }> {
  const place = await sharedPlace(run.invocation);
  return place === null ? {} : { storeImages: place.imageStore(run) };
}
