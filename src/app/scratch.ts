/**
 * The folders of this machine for a shared run: unfinished files, the log, the creations that left this machine, and the ids
 * of accepted tasks that the store does not have yet. Each process has one to itself; the next one takes up what a dead one
 * left. They belong to the run and not to the address of its store, which may be another one tomorrow.
 */

import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { openIdJournal, readIdJournal } from '../adapters/id-journal.ts';
import { DiskError, HeldError, messageOf } from '../errors.ts';
import type { Checkpoint, Store } from '../store.ts';
import type { Invocation } from './settings.ts';
import { type HeldFolder, holdLocalFolder } from './stores.ts';

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
export function scratchBase(place: Place, { sharing }: Pick<Store, 'sharing'>): string {
  if (sharing === null) throw new Error('this run is in a folder');
  return join(
    scratchOf(place),
    `${place.shared?.run ?? ''}-${sharing.runId.replaceAll('-', '').slice(0, 12)}`,
  );
}

function scratchOf({ shared, env }: Place): string {
  const state = env.XDG_STATE_HOME ?? join(homedir(), '.local', 'state');
  return shared?.scratch ?? join(state, 'batch');
}

/** Where earlier versions had these folders: by the address of the store. */
function earlierBase(place: Place): string {
  const { url = '', run = '' } = place.shared ?? {};
  // Without the password, which may change; of two databases each has its own.
  const { host, pathname } = URL.canParse(url) ? new URL(url) : { host: '', pathname: '' };
  const digest = createHash('sha256').update(`${host}${pathname}\n${run}`).digest('hex').slice(0, 8);
  return join(scratchOf(place), `${run}-${digest}`);
}

/** Takes the first folder that no process has. Throws `DiskError`. */
export function holdScratch(base: string): Scratch {
  for (let number = 1; number <= mostFolders; number += 1) {
    const folder = join(base, `worker-${number}`);
    const held = holdIfFree(folder);
    if (held === null) continue;
    return {
      folder,
      creations: held.creations,
      noteCreations: (creations) => held.note(creations),
      [Symbol.dispose]: () => held[Symbol.dispose](),
    };
  }
  throw new DiskError(`${base} has ${mostFolders} processes already; choose another --scratch`);
}

function holdIfFree(folder: string): HeldFolder | null {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
  } catch (error) {
    throw new DiskError(`${folder} cannot be created (${messageOf(error)}); choose another --scratch`, error);
  }
  try {
    return holdLocalFolder(folder);
  } catch (error) {
    if (error instanceof HeldError) return null;
    throw error;
  }
}

/** What dead processes left here, and the one that holds `own`. */
interface Leftovers {
  /** The most creations that any of them has seen in the store. */
  readonly creations: number;
}

/** A folder of a process that is gone, or of this one. */
export interface LeftFolder {
  readonly folder: string;
  /** The most creations that its processes have seen in the store. */
  readonly creations: number;
}

/** The folder of this process and those of dead ones, each held while it is looked at. */
export function* leftFolders(base: string, own: Scratch): Generator<LeftFolder> {
  yield own;
  if (!existsSync(base)) return;
  for (const name of readdirSync(base)) {
    const folder = join(base, name);
    if (folder === own.folder) continue;
    using held = holdIfFree(folder);
    if (held !== null) yield { folder, creations: held.creations };
  }
}

/** Saves the tasks that dead processes of this run were told of and could not record. */
export async function takeLeftTasks(
  place: Place,
  {
    checkpoint,
    sharing,
  }: { readonly checkpoint: Pick<Checkpoint, 'saveLateTasks'> } & Pick<Store, 'sharing'>,
  own: Scratch,
  now: number,
): Promise<Leftovers> {
  let most = 0;
  const base = scratchBase(place, { sharing });
  for (const each of [base, earlierBase(place)]) {
    for (const { folder, creations } of leftFolders(each, own)) {
      // What earlier versions counted may be of another run of this name.
      if (each === base) most = Math.max(most, creations);
      const kept = readIdJournal(folder);
      if (kept.length === 0) continue;
      const saved = await checkpoint.saveLateTasks(kept, now);
      // The folder of this process has its journal open later.
      using journal = openIdJournal(folder);
      journal.forget(saved);
    }
  }
  return { creations: most };
}
