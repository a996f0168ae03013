/** Opens the checkpoint's database: durable, checked, migrated; or read-only and untouched. */

import {
  accessSync,
  closeSync,
  constants,
  existsSync,
  lstatSync,
  openSync,
  statfsSync,
  statSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import Database from 'better-sqlite3';
import {
  CheckpointError,
  codeOf,
  DiskError,
  isOutOfFiles,
  messageOf,
  refusalOf,
  saidOf,
} from '../../errors.ts';
import { ownMode } from '../../files/own-mode.ts';
import { message, type Said } from '../../messages/message.ts';
import { hasOurTables, migrate, newestVersion, standInForMissing, versionOf } from './schema.ts';
import { countCreations, findDamage, findDamageInPages } from './soundness.ts';

/** Name of the checkpoint in the output folder. */
export const checkpointName = 'batch.sqlite';

export type { Database } from 'better-sqlite3';

/** Milliseconds a statement waits for a reader or writer of another process. */
const busyTimeoutMs = 10_000;

/**
 * Opens the checkpoint of a folder that this process has locked, and creates it if needed. `creations` is how many creations
 * it must know (`FolderLock`): one that knows fewer would pay for rows again.
 */
export function openDatabase(folder: string, creations = 0): Database.Database {
  const path = join(folder, checkpointName);
  return guard(path, () => {
    checkUntouched(path, creations);
    makeOwnFile(path);
    return connect(path, migrate);
  });
}

/** An empty file, which is a new database, unless there is one: SQLite asks for no mode, and gives its log that of the file. */
export function makeOwnFile(path: string): void {
  try {
    closeSync(openSync(path, 'wx', ownMode(statSync(dirname(path)))));
  } catch {
    // It is there, or SQLite says why it cannot be.
  }
}

/** A connection that writes durably; runs `prepare` first. */
export function connect(
  path: string,
  prepare: (db: Database.Database) => void = () => {},
): Database.Database {
  const db = new Database(path, { timeout: busyTimeoutMs });
  try {
    // The library falls back to NORMAL on every open; NORMAL survives a kill but not a power cut.
    db.pragma('journal_mode = WAL');
    db.pragma('synchronous = FULL');
    prepare(db);
  } catch (error) {
    db.close();
    throw error;
  }
  return db;
}

/** A read-only connection; null unless the checkpoint is of this version, in WAL mode and of the expected schema. */
export function connectToRead(path: string): Database.Database | null {
  const db = new Database(path, { readonly: true, timeout: busyTimeoutMs });
  try {
    // A copy may have another journal mode; opening it to write would change it before the check.
    if (versionOf(db) === newestVersion() && db.pragma('journal_mode', { simple: true }) === 'wal') {
      checkTables(db, path);
      return db;
    }
  } catch {
    // The full check reports the error.
  }
  db.close();
  return null;
}

/**
 * Closes a checkpoint that was written. While another process reads it, SQLite would leave the last changes in
 * `batch.sqlite-wal`, and a copy of `batch.sqlite` alone would lack them.
 */
export function closeDatabase(db: Database.Database): void {
  if (!db.open) return;
  try {
    db.pragma('busy_timeout = 1000');
    db.pragma('wal_checkpoint(TRUNCATE)');
  } catch {
    // Nothing is lost: the next process reads the changes from the log.
  }
  db.close();
}

/**
 * Refuses a damaged checkpoint, over a read-only connection: one that can write would merge the log into the damaged
 * file when it closes, and destroy what could still be repaired.
 */
export function checkUntouched(path: string, creations: number): void {
  if (lstatSync(path, { throwIfNoEntry: false }) === undefined) {
    checkCreations(path, 0, creations);
    return;
  }
  refuseFolder(path);
  let db = new Database(path, { readonly: true, timeout: busyTimeoutMs });
  try {
    checkAll(db, path, creations);
  } catch (error) {
    // A process was killed during its first write; only a connection that can write may roll it back.
    if (!/^SQLITE_(READONLY|CANTOPEN)/.test(codeOf(error))) throw error;
    db.close();
    db = new Database(path, { timeout: busyTimeoutMs });
    checkAll(db, path, creations);
  } finally {
    db.close();
  }
}

function checkAll(db: Database.Database, path: string, creations: number): void {
  if (isNothingYet(db, path)) {
    checkCreations(path, 0, creations);
    return;
  }
  checkDamage(path, () => findDamageInPages(db, 'thorough'));
  checkTables(db, path);
  checkDamage(path, () => findDamage(db));
  checkCreations(path, countCreations(db), creations);
}

/** Opens the checkpoint read-only, also one of an earlier version, which it leaves as it is; null when the folder has none. */
export function openDatabaseReadOnly(folder: string): Database.Database | null {
  const path = join(folder, checkpointName);
  if (!existsSync(path)) return null;
  return guard(path, () => {
    refuseFolder(path);
    const db = new Database(path, { readonly: true, timeout: busyTimeoutMs });
    try {
      if (isNothingYet(db, path)) {
        db.close();
        return null;
      }
      checkDamage(path, () => findDamageInPages(db, 'quick'));
      checkTables(db, path);
      checkDamage(path, () => findDamage(db));
      standInForMissing(db);
    } catch (error) {
      db.close();
      throw error;
    }
    return db;
  });
}

/** An empty temporary checkpoint, for a dry run without an output folder. Closing it removes it. */
export function openScratchDatabase(): Database.Database {
  const db = new Database('');
  migrate(db);
  return db;
}

/** Runs database work and turns SQLite's errors into the tool's own. */
export function guard<T>(path: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw translate(path, error);
  }
}

/** How messages name a database without a file. */
const temporaryDatabase = 'the temporary database (in TMPDIR, else /var/tmp)';

function translate(place: string, error: unknown): unknown {
  const path = place === '' ? temporaryDatabase : place;
  const code = codeOf(error);
  if (/^SQLITE_(CORRUPT|NOTADB|FORMAT)/.test(code)) return damaged(path, messageOf(error), error);
  const isShut = place !== '' && /^SQLITE_(READONLY|IOERR|CANTOPEN)/.test(code);
  const shut = isShut ? refusalToWrite(place, dirname(place)) : null;
  if (shut !== null)
    return new DiskError(message('disk.file', { path, act: 'written', ...refusalOf(shut) }), error);
  if (/^SQLITE_READONLY/.test(code)) {
    return new DiskError(message('store.read-only-file', { path, failure: saidOf(error) }), error);
  }
  const lack = lackOf(code, path);
  if (lack !== null)
    return new DiskError(message(lack, { folder: dirname(path), failure: saidOf(error) }), error);
  const refused = /^SQLITE_CANTOPEN/.test(code) ? errorInFolder(place) : null;
  if (isOutOfFiles(refused))
    return new DiskError(message('disk.file', { path, act: 'opened', ...refusalOf(refused) }), error);
  if (/^SQLITE_(FULL|IOERR|CANTOPEN)/.test(code)) {
    return new DiskError(message('store.disk', { path, failure: saidOf(error) }), error);
  }
  if (/^SQLITE_(BUSY|LOCKED)/.test(code)) {
    return new DiskError(message('store.locked', { path }), error);
  }
  return error;
}

/** What a disk lacks that fails with this code; null where it is something else. A full disk cannot make shared memory, either. */
function lackOf(code: string, path: string) {
  if (/^SQLITE_IOERR_DIR_/.test(code)) return 'store.no-folder-sync';
  if (!/^SQLITE_IOERR_SHM/.test(code)) return null;
  const isFull = code === 'SQLITE_IOERR_SHMSIZE' && statfsSync(dirname(path)).bavail < sharedBlocks;
  return isFull ? null : 'store.no-shared-memory';
}

/** Of at least 512 bytes each: more than the shared memory of a small checkpoint. */
const sharedBlocks = 256;

/** Why this user may not write one of them, which SQLite does not say; null where that is not the reason. */
export function refusalToWrite(...paths: readonly string[]): unknown {
  for (const each of paths) {
    try {
      accessSync(each, constants.W_OK);
    } catch (error) {
      if (/^(EROFS|EACCES|EPERM)$/.test(codeOf(error))) return error;
    }
  }
  return null;
}

/** A database has this many files open, with its log and its folder. */
const databaseFiles = 4;

/**
 * Why the system opens no more files in this folder, which SQLite does not say; null where it does. The file itself may be
 * locked: closing it would unlock it.
 */
function errorInFolder(path: string): unknown {
  const opened: number[] = [];
  try {
    while (opened.length < databaseFiles) opened.push(openSync(dirname(path), 'r'));
    return null;
  } catch (error) {
    return error;
  } finally {
    for (const file of opened) closeSync(file);
  }
}

function damaged(path: string, found: Said, cause?: unknown): CheckpointError {
  const detail = typeof found === 'string' ? found.replace(/\s+/g, ' ') : found;
  return new CheckpointError(message('store.damaged', { path, detail }), cause);
}

/** Parses JSON saved in the checkpoint. Throws `CheckpointError` when it is damaged. */
export function parseSaved<T>(path: string, text: string): T {
  try {
    return JSON.parse(text) as T;
  } catch (error) {
    throw new CheckpointError(message('store.text-damaged', { path }), error);
  }
}

function refuseFolder(path: string): void {
  if (!lstatSync(path).isDirectory()) return;
  throw new CheckpointError(message('store.folder', { path }));
}

/** True for an empty file, left by a process that was killed at once. Throws when a newer version wrote the checkpoint. */
function isNothingYet(db: Database.Database, path: string): boolean {
  const version = versionOf(db);
  if (version > newestVersion()) {
    throw new CheckpointError(message('store.newer', { path, version, known: newestVersion() }));
  }
  return version === 0 && db.prepare('SELECT 1 FROM sqlite_schema LIMIT 1').get() === undefined;
}

function checkDamage(path: string, find: () => Said | null): void {
  const found = find();
  if (found !== null) throw damaged(path, found);
}

/** Other tables are damaged, or belong to another program. */
function checkTables(db: Database.Database, path: string): void {
  if (!hasOurTables(db)) throw damaged(path, message('damage.tables'));
}

/** In a checkpoint that lost creations (a lost log, an old copy) paid rows are pending. */
function checkCreations(path: string, known: number, sent: number): void {
  if (known >= sent) return;
  throw new CheckpointError(message('store.old-copy', { path, known, sent }));
}
