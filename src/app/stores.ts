/** Chooses the store; only this file changes for another one. */

import { existsSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { codeOf, DiskError, messageOf, saidOf, UsageError } from '../errors.ts';
import { message } from '../messages/message.ts';
import { syncFolderNow } from '../outputs/directory-sync.ts';
import type { Placement } from '../ports.ts';
import type { Store, StorePlace } from '../stores/port/store.ts';
import type { FoundRuns, PostgresStoreOptions } from '../stores/postgres/postgres-store.ts';
import { checkpointName } from '../stores/sqlite/database.ts';
import { lockFolder, tryDisk } from '../stores/sqlite/folder-lock.ts';
import { openImportCopy } from '../stores/sqlite/import/import-copy.ts';
import { copyCheckpoint, lookAtCopy } from '../stores/sqlite/look-at-copy.ts';
import { openScratchStore, sqliteStoreIn } from '../stores/sqlite/sqlite-store.ts';
import type { PlacementOptions } from './fleet/pg-boss-placement.ts';
import type { Environment } from './options/environment.ts';
import { isRunning, processId, programVersion } from './program.ts';
import { systemClock } from './system-clock.ts';

/** The store of the run in this output folder (absolute path), which the user names as it is `shown`. */
export function storeIn(folder: string, shown = folder): StorePlace {
  return sqliteStoreIn(folder, { pid: processId(), now: systemClock.now, isRunning }, shown);
}

/** True where the folder has a run that this user can see. */
export async function hasRun(folder: string): Promise<boolean> {
  return storeIn(resolve(folder))
    .exists()
    .catch(() => false);
}

/**
 * Reads the run, null where there is none, and leaves no trace in its folder: from a copy where no process works there.
 * Throws as `look`, and the refusal of the system where no copy can be made.
 */
export async function readWithoutTrace<T>(
  folder: string,
  read: (store: Store | null) => Promise<T>,
): Promise<T> {
  const place = storeIn(folder);
  if (!(await place.exists()) || (await place.isInUse())) {
    await using store = await place.look();
    return await read(store);
  }
  using copy = copyCheckpoint(folder);
  await using store = await lookAtCopy(copy.folder, folder, () => storeIn(copy.folder).look());
  return await read(store);
}

/** One of as many bytes takes seconds to check. */
const largeBytes = 256 * 2 ** 20;

/** True where the run in this folder takes seconds to open. */
export function isLargeCheckpoint(folder: string): boolean {
  return hasCheckpoint(folder) && statSync(join(folder, checkpointName)).size >= largeBytes;
}

/** True where the folder has the checkpoint of a run of its own, whoever may open it. */
export function hasCheckpoint(folder: string): boolean {
  return existsSync(join(folder, checkpointName));
}

/**
 * Throws `DiskError` where the disk of this folder lacks what a run needs of it: locks, shared memory, or syncs of folders. Leaves
 * nothing there.
 */
export function refuseLackingDisk(folder: string): void {
  tryDisk(folder);
  syncOrRefuse(folder);
}

/** Syncs the names in the folder. Throws `DiskError` where that fails. */
export function syncOrRefuse(folder: string): void {
  try {
    syncFolderNow(folder);
  } catch (error) {
    throw new DiskError(message('store.no-folder-sync', { folder, failure: saidOf(error) }), error);
  }
}

/** A temporary store, for a dry run without an output folder. Closing it removes it. */
export function openScratch(): Store {
  return openScratchStore();
}

/** A local folder that this process has locked until disposal or its end. */
export interface LockedFolder extends Disposable {
  /** A number noted there by its holders. */
  readonly creations: number;
  note(creations: number): void;
}

/** Locks a folder that is no run. Throws `HeldError` when another process has it. */
export function lockLocalFolder(folder: string): LockedFolder {
  return lockFolder(folder);
}

/** A run on several machines, and who asks for it. */
export interface PostgresAsk
  extends Pick<
    PostgresStoreOptions,
    'url' | 'run' | 'patience' | 'onAway' | 'onHeld' | 'mustBeDurable' | 'begunAt'
  > {
  readonly env: Environment;
}

/**
 * The store of a run on several machines. Nothing of it is loaded before. Throws `UsageError` where the packages for it
 * are not installed, or for an address or a name that cannot be one.
 */
export async function postgresPlace({ env, ...ask }: PostgresAsk): Promise<StorePlace> {
  const { postgresStoreAt } = await loadPostgres();
  const url = await wholeAddress(ask.url, env);
  const self = { pid: processId(), version: programVersion(), scratch: null };
  return postgresStoreAt({ ...ask, url, clock: systemClock, ssl: env, self, openImportCopy });
}

/** The runs of a database. Throws as `postgresPlace`, and where it does not answer at once. */
export async function postgresRuns(url: string, env: Environment): Promise<FoundRuns> {
  const { runsAt } = await loadPostgres();
  return runsAt({ url: await wholeAddress(url, env), ssl: env, clock: systemClock, patience: () => 0 });
}

/** How to reach the database, for the engine that hands out slices. */
export async function postgresConnection(url: string, env: Environment) {
  const { readAddress } = await import('../stores/postgres/connection/address.ts');
  const { agreedTls } = await withPackages(() => import('../stores/postgres/connection/agreed-tls.ts'));
  const address = readAddress(await wholeAddress(url, env), env);
  const { connectionString, options } = address;
  return { connectionString, options, ssl: await agreedTls(address) };
}

/** The engine that hands out the slices of a run. */
export async function postgresPlacement(options: PlacementOptions): Promise<Placement> {
  const { openPlacement } = await withPackages(() => import('./fleet/pg-boss-placement.ts'));
  return openPlacement(options);
}

async function wholeAddress(url: string, env: Environment): Promise<string> {
  const { withPassword } = await import('../stores/postgres/connection/password-file.ts');
  return withPassword(url, env);
}

function loadPostgres() {
  return withPackages(() => import('../stores/postgres/postgres-store.ts'));
}

async function withPackages<T>(load: () => Promise<T>): Promise<T> {
  try {
    return await load();
  } catch (error) {
    if (codeOf(error) !== 'ERR_MODULE_NOT_FOUND' || !/'pg(-[a-z-]+)?'/.test(messageOf(error))) throw error;
    const advice = 'npm install pg pg-copy-streams pg-boss @aws-sdk/client-s3';
    throw new UsageError(message('store.no-packages', { command: advice }), error);
  }
}
