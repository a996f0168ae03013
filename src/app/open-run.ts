/** Opens a run where the invocation says it is: in its output folder, or in a store that machines share. */

import { openFileOutputTree } from '../adapters/file-output-tree.ts';
import { systemClock } from '../adapters/system-clock.ts';
import type { OutputTree } from '../ports.ts';
import type { Store } from '../store.ts';
import type { FileImport } from './import-file.ts';
import { lookIntoFolder, openExistingFolder, openFolder, openToLook } from './output-folder.ts';
import type { Invocation } from './settings.ts';
import { storeIn } from './stores.ts';

/** An open run. Disposing it releases the run. */
export interface OpenRun extends AsyncDisposable {
  readonly store: Store;
  /** With the outputs of the run where a store knows them. */
  readonly invocation: Invocation;
}

/** A run that is only looked at. */
export interface SeenRun extends OpenRun {
  /** True while a process works on it. */
  readonly isHeld: boolean;
}

/** Opens the run for work, creating it if needed. Throws `HeldError` when another process has the folder. */
export async function openRun(invocation: Invocation): Promise<OpenRun> {
  if (invocation.shared !== null) return (await import('./shared-place.ts')).openSharedRun(invocation);
  return inFolder(await openFolder(invocation.out), invocation);
}

/** Opens an earlier run for work; `pays` where rows may be paid for, now or by others. */
export async function openExistingRun(invocation: Invocation, pays: boolean): Promise<OpenRun> {
  if (invocation.shared !== null)
    return (await import('./shared-place.ts')).openExistingSharedRun(invocation, pays);
  return inFolder(await openExistingFolder(invocation.out), invocation);
}

/** Opens the run read-only, even while it is active; null where there is none. */
export async function openRunToLook(invocation: Invocation): Promise<SeenRun | null> {
  if (invocation.shared !== null) return (await import('./shared-place.ts')).lookAtSharedRun(invocation);
  const store = await openToLook(invocation.out);
  return store === null ? null : seenInFolder(store, invocation);
}

/** The same. Throws `UsageError` where there is none. */
export async function lookIntoRun(invocation: Invocation): Promise<SeenRun> {
  if (invocation.shared !== null) return (await import('./shared-place.ts')).lookIntoSharedRun(invocation);
  return seenInFolder(await lookIntoFolder(invocation.out), invocation);
}

function inFolder(store: Store, invocation: Invocation): OpenRun {
  return { store, invocation, [Symbol.asyncDispose]: () => store[Symbol.asyncDispose]() };
}

async function seenInFolder(store: Store, invocation: Invocation): Promise<SeenRun> {
  return { ...inFolder(store, invocation), isHeld: await storeIn(invocation.out).isHeld() };
}

/** The files of a run, for a command that works on no row. */
export interface OpenTree extends AsyncDisposable {
  readonly tree: OutputTree;
}

/** Opens the files of a run. Throws `DiskError`. */
export async function openTree(opened: OpenRun): Promise<OpenTree> {
  if (opened.invocation.shared !== null) return (await import('./shared-place.ts')).openSharedTree(opened);
  const tree = await openFileOutputTree(opened.invocation.out, systemClock.now);
  return { tree, [Symbol.asyncDispose]: async () => {} };
}

/** Marks the outputs of a run that is made, so that other machines know whether they see the same. */
export async function markMadeRun(opened: OpenRun): Promise<void> {
  if (opened.invocation.shared === null) return;
  await (await import('./shared-place.ts')).markOutputs(opened, true);
}

/** Where local pictures of an imported file are stored for other machines; nothing for a run in a folder. */
export async function imageStoreOf(opened: OpenRun): Promise<Pick<FileImport, 'storeImages'>> {
  if (opened.invocation.shared === null) return {};
  return { storeImages: (await import('./shared-place.ts')).imageStore(opened) };
}
