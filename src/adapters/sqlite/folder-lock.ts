/**
 * One writer per output folder: an exclusive transaction on a tiny database, held for the life of the process. The same
 * database knows how many creations the checkpoint must know: a checkpoint that lost the end of its log calls rows pending
 * that were paid for, and nothing in it tells.
 */

import { join } from 'node:path';
import Database from 'better-sqlite3';
import { CheckpointError, codeOf, HeldError } from '../../errors.ts';
import { guard } from './database.ts';

/** Two processes that reach for the lock in the same instant refuse each other; a short wait lets one of them win. */
const graceMs = 100;

/** The lock of the folder, beside the checkpoint. */
export const lockName = 'batch.lock';

/** Marks the file as a lock of this program: `batc` in ASCII. */
const lockId = 0x62617463;

/** The folder, held. */
export interface FolderLock extends Disposable {
  /** Creations that were noted, by this process and earlier ones; 0 where nobody noted any. */
  readonly creations: number;
  /** Writes down how many creations the checkpoint knows. Never throws: without the note a damage is found less surely. */
  note(creations: number): void;
}

/**
 * Holds the folder until it is disposed or the process dies; the system frees it even after a kill, so there is no
 * stale lock to clear. Throws `HeldError` after a tenth of a second when another process has it.
 */
export function holdFolder(folder: string): FolderLock {
  const path = join(folder, lockName);
  return guard(path, () => {
    const db = new Database(path, { timeout: graceMs });
    try {
      // In this mode the lock outlives a commit. A commit is one small write; a journal on disk would protect nothing.
      db.pragma('locking_mode = EXCLUSIVE');
      db.pragma('journal_mode = MEMORY');
      db.exec('BEGIN EXCLUSIVE');
      db.exec('COMMIT');
      // The page is synced once, when it is new; a later note is old or new after a power cut, and both will do.
      if (db.pragma('page_count', { simple: true }) === 0) db.pragma(`application_id = ${lockId}`);
      db.pragma('synchronous = OFF');
      return {
        creations: Number(db.pragma('user_version', { simple: true })),
        note: (creations) => noteDown(db, creations),
        [Symbol.dispose]: () => void db.close(),
      };
    } catch (error) {
      db.close();
      throw refusal(folder, path, error);
    }
  });
}

/**
 * True while a process works in the folder: asks for its lock for an instant and only to read. One that starts in this very
 * instant waits its tenth of a second and has the folder.
 */
export function isFolderHeld(folder: string): boolean {
  try {
    const lock = new Database(join(folder, lockName), { readonly: true, fileMustExist: true, timeout: 0 });
    try {
      lock.pragma('user_version');
      return false;
    } finally {
      lock.close();
    }
  } catch (error) {
    return isBusy(codeOf(error));
  }
}

function isBusy(code: string): boolean {
  return /^SQLITE_(BUSY|LOCKED)/.test(code);
}

function refusal(folder: string, path: string, error: unknown): unknown {
  const code = codeOf(error);
  if (isBusy(code)) return new HeldError(folder, error);
  if (/^SQLITE_(NOTADB|CORRUPT)/.test(code))
    return new CheckpointError(`${path} is damaged; remove it and run the same command again`, error);
  return error;
}

function noteDown(db: Database.Database, creations: number): void {
  try {
    db.pragma(`user_version = ${creations}`);
  } catch {
    // A disk that refuses this refuses the checkpoint's own writes too, and those are heard.
  }
}
