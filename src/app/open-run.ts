/** Opens a run where the invocation says it is: in its output folder, or in a store that machines share. */

import type { FileImport } from '../features/import/import-file.ts';
import { openFileOutputTree } from '../outputs/file-output-tree.ts';
import type { Store } from '../stores/port/store.ts';
import type { Invocation } from './options/invocation.ts';
import { lookIntoFolder, openExistingFolder, openFolder, openToLook } from './output-folder.ts';
import type { OpenRun, OpenTree, SeenRun } from './run-handles.ts';
import { storeIn } from './stores.ts';
import { systemClock } from './system-clock.ts';

/** Opens the run for work, creating it if needed. Throws `HeldError` when another process has the folder. */
export async function openRun(invocation: Invocation): Promise<OpenRun> {
  if (invocation.shared !== null)
    return (await import('../features/fleet/shared-place.ts')).openSharedRun(invocation);
  return inFolder(await openFolder(invocation.out), invocation);
}

/** Opens an earlier run for work; `pays` where rows may be paid for, now or by others. */
export async function openExistingRun(invocation: Invocation, pays: boolean): Promise<OpenRun> {
  if (invocation.shared !== null)
    return (await import('../features/fleet/shared-place.ts')).openExistingSharedRun(invocation, pays);
  return inFolder(await openExistingFolder(invocation.out), invocation);
}

/** Opens the run read-only, even while it is active; null where there is none. */
export async function openRunToLook(invocation: Invocation): Promise<SeenRun | null> {
  if (invocation.shared !== null)
    return (await import('../features/fleet/shared-place.ts')).lookAtSharedRun(invocation);
  const store = await openToLook(invocation.out);
  return store === null ? null : seenInFolder(store, invocation);
}

/** The same. Throws `UsageError` where there is none. */
export async function lookIntoRun(invocation: Invocation): Promise<SeenRun> {
  if (invocation.shared !== null)
    return (await import('../features/fleet/shared-place.ts')).lookIntoSharedRun(invocation);
  return seenInFolder(await lookIntoFolder(invocation.out), invocation);
}

function inFolder(store: Store, invocation: Invocation): OpenRun {
  return { store, invocation, [Symbol.asyncDispose]: () => store[Symbol.asyncDispose]() };
}

async function seenInFolder(store: Store, invocation: Invocation): Promise<SeenRun> {
  return { ...inFolder(store, invocation), isHeld: await storeIn(invocation.out).isHeld() };
}

/** Opens the files of a run. Throws `DiskError`. */
export async function openTree(opened: OpenRun): Promise<OpenTree> {
  if (opened.invocation.shared !== null)
    return (await import('../features/fleet/shared-place.ts')).openSharedTree(opened);
  const tree = await openFileOutputTree(opened.invocation.out, systemClock.now);
  return { tree, [Symbol.asyncDispose]: async () => {} };
}

type MadeRun = Pick<OpenRun, 'store' | 'invocation'>;

/** Marks the outputs of a run that is made, so that other machines know whether they see the same. */
export async function markMadeRun(opened: MadeRun): Promise<void> {
  if (opened.invocation.shared === null) return;
  await (await import('../features/fleet/shared-place.ts')).markOutputs(opened, true);
}

/** Where local pictures of an imported file are stored for other machines; nothing for a run in a folder. */
export async function imageStoreOf(opened: MadeRun): Promise<Pick<FileImport, 'storeImages'>> {
  if (opened.invocation.shared === null) return {};
  return { storeImages: (await import('../features/fleet/shared-place.ts')).imageStore(opened) };
}
