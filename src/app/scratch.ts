/**
 * The folders of this machine for a shared run: unfinished files, the log, the creations that left this machine, and the ids
 * of accepted tasks that the store does not have yet. Each process has one to itself; the next one continues what a dead one
 * left. They belong to the run and not to the address of its store, which may be another one tomorrow.
 */

import { existsSync, readdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { DiskError, HeldError, saidOf } from '../errors.ts';
import { message } from '../messages/message.ts';
import { makeFolders } from '../outputs/make-folders.ts';
import type { LateTaskStore } from '../runner/late-answers/late-tasks.ts';
import type { Sharing } from '../stores/port/sharing.ts';
import type { Store } from '../stores/port/store.ts';
import { adoptJournal } from './adopt-journal.ts';
import { type Invocation, sharedOf } from './options/invocation.ts';
import { type LockedFolder, lockLocalFolder } from './stores.ts';

/** More processes than a machine runs. */
const mostFolders = 1_000;

/** A folder that no other process uses. */
export interface Scratch extends Disposable {
  /** Absolute. */
  readonly folder: string;
  /** The most creations that processes here have seen in the store. */
  readonly creations: number;
  noteCreations(creations: number): void;
}

type Place = Pick<Invocation, 'shared' | 'env'>;

/** The folder for all processes of this run on this machine. */
export function scratchBase(place: Place, store: Pick<Store, 'sharing'>): string {
  const id = sharingOf(store).runId.replaceAll('-', '').slice(0, 12);
  return join(scratchOf(place), `${sharedOf(place).run}-${id}`);
}

/** What the processes of a run that machines share need of each other. */
export function sharingOf({ sharing }: Pick<Store, 'sharing'>): Sharing {
  if (sharing === null) throw new Error('this run is in a folder');
  return sharing;
}

function scratchOf({ env }: Place): string {
  const state = env.XDG_STATE_HOME ?? join(homedir(), '.local', 'state');
  return resolve(env.BATCH_SCRATCH || join(state, 'batch'));
}

/** Takes the first folder that no process has. Throws `DiskError`. */
export function lockScratch(base: string): Scratch {
  for (let number = 1; number <= mostFolders; number += 1) {
    const folder = join(base, `worker-${number}`);
    const taken = lockIfFree(folder);
    if (taken === null) continue;
    return {
      folder,
      creations: taken.creations,
      noteCreations: (creations) => taken.note(creations),
      [Symbol.dispose]: () => taken[Symbol.dispose](),
    };
  }
  throw new DiskError(message('output.scratch-full', { folder: base, count: mostFolders }));
}

function lockIfFree(folder: string): LockedFolder | null {
  try {
    makeFolders(folder, 0o700);
  } catch (error) {
    throw new DiskError(message('output.no-scratch', { folder, failure: saidOf(error) }), error);
  }
  try {
    return lockLocalFolder(folder);
  } catch (error) {
    if (error instanceof HeldError) return null;
    throw error;
  }
}

/** A folder of a process that is gone, or of this one. */
export interface LeftFolder {
  readonly folder: string;
  /** The most creations that its processes have seen in the store. */
  readonly creations: number;
}

/** The folder of this process and those of dead ones, each locked while it is looked at. */
export function* leftFolders(base: string, own: Scratch): Generator<LeftFolder> {
  yield own;
  if (!existsSync(base)) return;
  for (const name of readdirSync(base)) {
    const folder = join(base, name);
    if (folder === own.folder) continue;
    using taken = lockIfFree(folder);
    if (taken !== null) yield { folder, creations: taken.creations };
  }
}

/**
 * Saves the tasks that dead processes of this run received and could not record. Returns the most creations that any of
 * them has seen in the store.
 */
export async function adoptLeftTasks(
  base: string,
  own: Scratch,
  store: LateTaskStore,
  now: number,
): Promise<number> {
  let most = 0;
  for (const { folder, creations } of leftFolders(base, own)) {
    most = Math.max(most, creations);
    // The folder of this process has its journal open later.
    await adoptJournal(folder, store, now);
  }
  return most;
}
