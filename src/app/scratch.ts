/**
 * The folders of this machine for a shared run: unfinished files, the log, and the ids of accepted tasks that the store
 * does not have yet. Each process has one to itself; the next one takes up what a dead one left.
 */

import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { openIdJournal, readIdJournal } from '../adapters/id-journal.ts';
import { DiskError, HeldError, messageOf } from '../errors.ts';
import type { Checkpoint } from '../store.ts';
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

/** The folder for all processes of this run on this machine. */
export function scratchBase({ shared, env }: Pick<Invocation, 'shared' | 'env'>): string {
  const { url = '', run = '', scratch = null } = shared ?? {};
  const state = env.XDG_STATE_HOME ?? join(homedir(), '.local', 'state');
  // Without the password, which may change; of two databases each has its own.
  const { host, pathname } = URL.canParse(url) ? new URL(url) : { host: '', pathname: '' };
  const digest = createHash('sha256').update(`${host}${pathname}\n${run}`).digest('hex').slice(0, 8);
  return join(scratch ?? join(state, 'batch'), `${run}-${digest}`);
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

/** Saves the tasks that dead processes of this run were told of and could not record. */
export async function takeLeftTasks(
  base: string,
  own: Scratch,
  checkpoint: Pick<Checkpoint, 'saveLateTasks'>,
  now: number,
): Promise<Leftovers> {
  let { creations } = own;
  for (const name of readdirSync(base)) {
    const folder = join(base, name);
    using held = folder === own.folder ? null : holdIfFree(folder);
    if (held === null && folder !== own.folder) continue;
    creations = Math.max(creations, held?.creations ?? 0);
    const kept = readIdJournal(folder);
    if (kept.length === 0) continue;
    const saved = await checkpoint.saveLateTasks(kept, now);
    using journal = openIdJournal(folder);
    journal.forget(saved);
  }
  return { creations };
}
