/** Opens the output folder of a run, for work or read-only. */

import { lstatSync, readdirSync, rmdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { CheckpointError, codeOf, DiskError, saidOf, UsageError } from '../errors.ts';
import { message } from '../messages/message.ts';
import { makeFolders } from '../outputs/make-folders.ts';
import { journalName } from '../stores/id-journal.ts';
import type { Settings } from '../stores/port/settings.ts';
import type { Store } from '../stores/port/store.ts';
import { adoptJournal } from './adopt-journal.ts';
import { keepBugsIn } from './bug-record.ts';
import { capDecisions } from './decisions.ts';
import { refuseOthersFolder, refuseUnreadable, refuseUnwritable } from './files/folder-access.ts';
import { eventsPlace } from './files/followed-files.ts';
import { refuseForeignWorkbook } from './files/foreign-files.ts';
import type { Environment } from './options/environment.ts';
import { withoutGone } from './options/gone.ts';
import type { Invocation } from './options/invocation.ts';
import type { Options, RawOptions } from './options/options.ts';
import { optionsToSave, refuseUncallable, serviceOf, withSaved } from './options/settings.ts';
import { refuseMoved } from './place/move-mark.ts';
import { refuseSharedFolder } from './place/shared-folder.ts';
import { storeIn, syncOrRefuse } from './stores.ts';
import { systemClock } from './system-clock.ts';

/**
 * Opens the folder for work, creating it if needed. Throws `HeldError` when another process has it, `UsageError` when
 * its run is elsewhere, except for a command that `moves` it. `shown` is the folder as the user names it.
 */
export async function openFolder(
  folder: string,
  { moves = false, shown = folder }: { readonly moves?: boolean; readonly shown?: string } = {},
): Promise<Store> {
  const place = storeIn(folder, shown);
  refuseSharedFolder(folder, shown);
  refuseOthersFolder(folder, place.files);
  const isFolderOurs = makeFolder(folder);
  refuseLinks(folder);
  syncOrRefuse(folder);
  const store = await place.open();
  try {
    keepBugsIn(folder, systemClock.now);
    if (!moves) await refuseMoved(store, folder);
    // Before anything else: a row with a known task must not be paid for again.
    if ((await store.archive.mark()) === null)
      await adoptJournal(folder, store.checkpoint, systemClock.now());
  } catch (error) {
    await store[Symbol.asyncDispose]();
    throw error;
  }
  const abandon = async (): Promise<void> => {
    await store.abandon();
    takeBack(folder, isFolderOurs);
  };
  return { ...store, abandon };
}

/** Removes what this process created next to an empty store. */
function takeBack(folder: string, isFolderOurs: boolean): void {
  rmSync(join(folder, journalName), { force: true });
  if (isFolderOurs && readdirSync(folder).length === 0) rmdirSync(folder);
}

/** Files of the tool at the top of the output folder, next to those of the store. */
const ownFiles = [journalName, 'batch.log', 'batch.log.1', 'simulator.jsonl'];

/** A symbolic link among them would direct a write outside the folder. */
function refuseLinks(folder: string): void {
  for (const name of ownFiles) {
    const path = join(folder, name);
    if (lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink()) {
      throw new UsageError(message('output.symbolic-link', { path }));
    }
  }
}

/** True when this call created it. Syncs its name and those of the folders above before anything in it is paid for. */
function makeFolder(folder: string): boolean {
  try {
    const first = makeFolders(folder);
    if (first === null) return false;
    for (let made = folder; made.length >= first.length; made = dirname(made)) syncOrRefuse(dirname(made));
    return true;
  } catch (error) {
    if (error instanceof DiskError) throw error;
    if (codeOf(error) === 'ENOTDIR' || codeOf(error) === 'EEXIST')
      throw new UsageError(message('folder.no-folder', { folder }), error);
    const said =
      codeOf(error) === 'ENOENT'
        ? message('output.no-place-for-folder', { folder })
        : message('output.no-root-here', { folder, failure: saidOf(error) });
    throw new DiskError(said, error);
  }
}

/** Opens the folder of an earlier run for work. */
export async function openExistingFolder(
  folder: string,
  { env, ...how }: Parameters<typeof openFolder>[1] & { readonly env?: Environment } = {},
): Promise<Store> {
  const place = storeIn(folder);
  refuseSharedFolder(folder, how.shown ?? folder);
  refuseOthersFolder(folder, place.files);
  // `look` throws for a lost checkpoint, and returns null where none ever existed.
  if (!(await place.exists()) && (await place.look()) === null) throw noRunIn(folder, env);
  return openFolder(folder, how);
}

/** Opens the run read-only; null where there is none. Even reading creates files next to the checkpoint. */
export async function openToLook(folder: string): Promise<Store | null> {
  const place = storeIn(folder);
  refuseUnreadable(folder, place.files);
  try {
    return await place.look();
  } catch (error) {
    if (error instanceof DiskError) refuseUnwritable(folder);
    throw error;
  }
}

/** The error where there is no run. */
export function noRunIn(folder: string, { BATCH_STORE: store }: Environment = {}): UsageError {
  return new UsageError(message(store ? 'folder.no-run-store' : 'folder.no-run', { folder }));
}

/** A value saved with the run as JSON; null when absent. */
export async function readSetting<T>(settings: Pick<Settings, 'get'>, name: string): Promise<T | null> {
  const text = await settings.get(name);
  if (text === null) return null;
  try {
    return JSON.parse(text) as T;
  } catch (error) {
    throw new CheckpointError(message('store.checkpoint-damaged'), error);
  }
}

/** Where settings are read from. */
export interface SavedSettings {
  readonly settings: Pick<Settings, 'get'>;
}

/** The options saved with the run. */
export async function readSavedOptions({ settings }: SavedSettings): Promise<RawOptions> {
  return withoutGone((await readSetting<RawOptions>(settings, 'options')) ?? {});
}

/** Merges the options of this invocation over the saved ones, and saves them. */
export async function saveOptions(store: Store, invocation: Invocation): Promise<void> {
  // Somebody may tune the run at this moment, and that must not be lost.
  while (true) {
    const before = await store.settings.get('options');
    const saved = await readSavedOptions({ settings: { get: async () => before } });
    const next = optionsToSave(invocation, saved);
    const after = JSON.stringify(next);
    if (after === (before ?? '{}')) return;
    const decisions = await capDecisions(store, invocation, saved, next);
    if (await store.settings.replace({ options: before }, { options: after }, decisions)) return;
  }
}

/**
 * All options of a run, saved ones included. A folder is never used with both the embedded and the real service: each
 * would report the other's tasks as lost.
 */
export async function optionsOfRun(invocation: Invocation, store: Store): Promise<Options> {
  const saved = await readSavedOptions(store);
  const options = withSaved(invocation, saved);
  const wantsReal = invocation.flags['base-url'] !== undefined;
  if (invocation.flags.simulate && wantsReal) {
    throw new UsageError(message('option.two-services'));
  }
  const isRehearsal = saved.simulate === true;
  if (!(await store.isEmpty()) && (isRehearsal ? wantsReal || !options.simulate : options.simulate)) {
    const kind = isRehearsal ? 'rehearsal' : 'real';
    throw new UsageError(message('folder.holds', { folder: invocation.outShown, kind }));
  }
  if (!options.simulate) serviceOf(invocation, options);
  refuseForeignWorkbook(invocation, options, saved);
  refuseUncallable(options);
  if (options.events !== undefined) await eventsPlace(options);
  return options;
}
