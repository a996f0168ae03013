/**
 * Reserves room for the ids of tasks that the checkpoint cannot save, before it is needed: slots of one size in
 * `batch.ids`, whose blocks are already allocated, so that a full disk cannot refuse them.
 */

import { closeSync, fsyncSync, openSync, readFileSync, statSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { codeOf, DiskError, refusalOf } from '../errors.ts';
import { ownMode } from '../files/own-mode.ts';
import { message } from '../messages/message.ts';
import type { AttemptTask, IdJournal } from '../ports.ts';

export const journalName = 'batch.ids';

/** More than the creations a run has in flight at once. */
const slotCount = 32;
/** A slot is one disk block, so it is written whole or not at all. */
const slotBytes = 4096;

/** The journal of this output folder. */
export interface FolderJournal extends IdJournal, Disposable {
  /** Ids kept by this and earlier processes and not yet forgotten. */
  kept(): readonly AttemptTask[];
  /** The ids are in the checkpoint now. */
  forget(ids: readonly AttemptTask[]): void;
}

/**
 * Opens the journal and reserves its room if needed. Throws `DiskError` when there is none. `syncFolder` makes names last: it
 * knows which systems cannot.
 */
export function openIdJournal(folder: string, syncFolder: (folder: string) => void): FolderJournal {
  const path = join(folder, journalName);
  try {
    const slots = readSlots(path);
    const isNew = slots === null;
    const file = openSync(path, isNew ? 'w' : 'r+', ownMode(statSync(folder)));
    if (isNew) {
      makeRoom(file);
      // The journal's name must survive a power cut as well as its room.
      syncFolder(folder);
    }
    return createJournal(file, slots ?? Array<AttemptTask | null>(slotCount).fill(null));
  } catch (error) {
    throw refused(path, 'created', error);
  }
}

/**
 * The ids kept in this folder; empty where there is no journal. Creates none: a reader does not need it. Throws `DiskError`
 * where it cannot be read.
 */
export function readIdJournal(folder: string): readonly AttemptTask[] {
  const path = join(folder, journalName);
  try {
    return (readSlots(path) ?? []).filter((slot) => slot !== null);
  } catch (error) {
    throw refused(path, 'read', error);
  }
}

function refused(path: string, act: 'created' | 'read', error: unknown): DiskError {
  return new DiskError(message('disk.file', { path, act, ...refusalOf(error) }), error);
}

/** Null where there is no journal with all its room. */
function readSlots(path: string): (AttemptTask | null)[] | null {
  let bytes: Buffer;
  try {
    bytes = readFileSync(path);
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return null;
    throw error;
  }
  if (bytes.length !== slotCount * slotBytes) return null;
  return Array.from({ length: slotCount }, (_, at) =>
    readSlot(bytes.toString('utf8', at * slotBytes, (at + 1) * slotBytes)),
  );
}

/** A slot that was cut while being written is empty. */
function readSlot(text: string): AttemptTask | null {
  try {
    const { token, taskId } = JSON.parse(text);
    return typeof token === 'string' && typeof taskId === 'string' ? { token, taskId } : null;
  } catch {
    return null;
  }
}

function makeRoom(file: number): void {
  writeSync(file, Buffer.alloc(slotCount * slotBytes, ' '));
  fsyncSync(file);
}

function createJournal(file: number, slots: (AttemptTask | null)[]): FolderJournal {
  let isSynced = true;
  const write = (at: number, text: string): boolean => {
    const bytes = Buffer.alloc(slotBytes, ' ');
    if (Buffer.byteLength(text) > slotBytes) return false;
    bytes.write(text);
    try {
      writeSync(file, bytes, 0, slotBytes, at * slotBytes);
      return true;
    } catch {
      // A disk that refuses allocated blocks is broken; the last message names the task.
      return false;
    }
  };
  return {
    keep(id) {
      if (slots.some((slot) => slot?.token === id.token)) return true;
      const at = slots.indexOf(null);
      if (at === -1 || !write(at, JSON.stringify(id))) return false;
      slots[at] = id;
      isSynced = false;
      return true;
    },
    sync() {
      if (isSynced) return;
      try {
        fsyncSync(file);
        isSynced = true;
      } catch {
        // The next one tries again.
      }
    },
    kept: () => slots.filter((slot) => slot !== null),
    // Not synced: an id that a power cut brings back is one that the checkpoint knows.
    forget(ids) {
      const tokens = new Set(ids.map(({ token }) => token));
      for (const [at, slot] of slots.entries())
        if (slot !== null && tokens.has(slot.token) && write(at, '')) slots[at] = null;
    },
    [Symbol.dispose]: () => closeSync(file),
  };
}
