/**
 * One writer per output folder: an exclusive lock on a tiny database, kept for the life of the process. The same
 * database counts the creations that the checkpoint must know: if the checkpoint lost the end of its log, paid rows are
 * pending again and nothing in it shows that.
 */

import { randomUUID } from 'node:crypto';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { CheckpointError, codeOf, DiskError, HeldError } from '../../errors.ts';
import { message } from '../../messages/message.ts';
import { checkpointName, guard } from './database.ts';

/** Two processes that take the lock at the same moment refuse each other; a short wait lets one of them win. */
const graceMs = 100;

/** The lock of the folder, next to the checkpoint. */
export const lockName = 'batch.lock';

/** Identifies the file as a lock of this program: `batc` in ASCII. */
const lockId = 0x62617463;

/** A locked folder. */
export interface FolderLock extends Disposable {
  /** Creations noted so far, by this process and earlier ones. */
  readonly creations: number;
  /** Saves how many creations the checkpoint knows. Never throws: without the note only the damage check is weaker. */
  note(creations: number): void;
}

/**
 * Locks the folder until disposal or the end of the process; the system releases the lock even after a kill, so no
 * stale lock remains. Throws `HeldError` after a tenth of a second when another process has it.
 */
export function lockFolder(folder: string): FolderLock {
  const path = join(folder, lockName);
  return guard(path, () => {
    const db = new Database(path, { timeout: graceMs });
    try {
      // In this mode the lock outlives the commit. A commit is one small write, so a journal on disk would add nothing.
      db.pragma('locking_mode = EXCLUSIVE');
      db.pragma('journal_mode = MEMORY');
      db.exec('BEGIN EXCLUSIVE');
      db.exec('COMMIT');
      // The page is synced once, when it is new. After a power cut a later note is the old or the new one; either works.
      if (db.pragma('page_count', { simple: true }) === 0) db.pragma(`application_id = ${lockId}`);
      db.pragma('synchronous = OFF');
      return {
        creations: Number(db.pragma('user_version', { simple: true })),
        note: (creations) => noteDown(db, creations),
        [Symbol.dispose]: () => db.close(),
      };
    } catch (error) {
      db.close();
      throw refusal(folder, path, error);
    }
  });
}

/**
 * True while a process works in the folder. Takes a read lock for a moment; a process that starts at that moment waits
 * up to a tenth of a second and gets the folder.
 */
export function isFolderLocked(folder: string): boolean {
  try {
    readNote(folder);
    return false;
  } catch (error) {
    return isBusy(codeOf(error));
  }
}

/** The creations that were noted in it, read without a trace; 0 where nothing can be read. */
export function notedCreations(folder: string): number {
  try {
    return readNote(folder);
  } catch {
    return 0;
  }
}

function readNote(folder: string): number {
  const lock = new Database(join(folder, lockName), { readonly: true, fileMustExist: true, timeout: 0 });
  try {
    return Number(lock.pragma('user_version', { simple: true }));
  } finally {
    lock.close();
  }
}

/**
 * Throws `DiskError` where the disk of this folder lacks what a run needs of it: locks, and shared memory. Leaves nothing
 * there.
 */
export function tryDisk(folder: string): void {
  if (hasNoLocks(folder)) throw noLocks(folder);
  guard(join(folder, checkpointName), () =>
    tryDatabase(folder, (db) => {
      db.pragma('journal_mode = WAL');
      db.exec('CREATE TABLE tried (it INTEGER)');
    }),
  );
}

/** SQLite calls a file busy on a disk without locks, too: then that is so of one that nobody else knows. */
function hasNoLocks(folder: string): boolean {
  try {
    tryDatabase(folder, (db) => db.exec('BEGIN EXCLUSIVE; COMMIT'));
    return false;
  } catch (error) {
    return isBusy(codeOf(error));
  }
}

function noLocks(folder: string, cause?: unknown): DiskError {
  return new DiskError(message('store.no-locks', { folder }), cause);
}

/** In a new database, under a name by which a later run would remove it. */
function tryDatabase(folder: string, work: (db: Database.Database) => void): void {
  const path = join(folder, `.batch.${randomUUID()}.tmp`);
  try {
    const db = new Database(path, { timeout: 0 });
    try {
      work(db);
    } finally {
      db.close();
    }
  } finally {
    for (const end of ['', '-journal', '-wal', '-shm']) rmSync(path + end, { force: true });
  }
}

function isBusy(code: string): boolean {
  return /^SQLITE_(BUSY|LOCKED)/.test(code);
}

function refusal(folder: string, path: string, error: unknown): unknown {
  const code = codeOf(error);
  if (isBusy(code))
    return hasNoLocks(folder)
      ? noLocks(folder, error)
      : new HeldError(message('folder.held', { folder }), error);
  if (/^SQLITE_(NOTADB|CORRUPT)/.test(code))
    return new CheckpointError(message('store.lock-damaged', { path }), error);
  return error;
}

function noteDown(db: Database.Database, creations: number): void {
  try {
    db.pragma(`user_version = ${creations}`);
  } catch {
    // A disk that refuses this also refuses the checkpoint's own writes, and those report the error.
  }
}
