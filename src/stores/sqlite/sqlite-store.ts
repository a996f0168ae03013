/** The store on SQLite: a database in the output folder, locked by one process at a time. */

import { existsSync, lstatSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { codeOf, DiskError, HeldError, saidOf, UsageError } from '../../errors.ts';
import { message } from '../../messages/message.ts';
import { shellPath } from '../../text/shell-word.ts';
import type { OpenSettings } from '../port/settings.ts';
import type { Holder, Store, StorePlace } from '../port/store.ts';
import { sqliteArchive } from './archive.ts';
import { openWithBackgroundCheck } from './background-check.ts';
import {
  checkpointName,
  closeDatabase,
  type Database,
  guard,
  openDatabase,
  openDatabaseReadOnly,
  openScratchDatabase,
  refusalToWrite,
} from './database.ts';
import { sqliteDecisions } from './decided/decisions.ts';
import { sqliteReviews } from './decided/reviews.ts';
import { type FolderLock, isFolderLocked, lockFolder, lockName } from './folder-lock.ts';
import { HeldFiles } from './held-files.ts';
import { holderName, noteHolder, readHolder, type Self } from './holder.ts';
import { sqliteHookCalls } from './hook-calls.ts';
import { SqliteIngest } from './import/ingest.ts';
import { copyCheckpoint, lookAtCopy } from './look-at-copy.ts';
import { refuseLostCheckpoint } from './lost-checkpoint.ts';
import { sqliteTotals } from './run-totals.ts';
import { openRunWatch } from './run-watch.ts';
import { createSqliteCheckpoint, type SqliteCheckpoint } from './sqlite-checkpoint.ts';
import { sqliteInspections } from './sqlite-inspections.ts';
import { SqliteSettings } from './sqlite-settings.ts';
import { openWithoutLock } from './without-lock.ts';

const databaseFiles = ['', '-wal', '-shm', '-journal'].map((end) => checkpointName + end);

/** The store in this output folder (absolute path); `shown` is the folder as the user names it. */
export function sqliteStoreIn(folder: string, self: Self, shown = folder): StorePlace {
  return {
    files: [lockName, holderName, ...databaseFiles],
    exists: async () => isFolder(folder) && existsSync(join(folder, checkpointName)),
    isInUse: async () => isFolderLocked(folder),
    holder: async () => holderOf(folder),
    open: async () => openToWork(folder, self, shown),
    look: async () => openToLook(folder),
    openSettings: async () => openSettings(folder),
  };
}

/** A temporary store, for a dry run without an output folder. Closing it removes it. */
export function openScratchStore(): Store {
  const db = openScratchDatabase();
  return storeOver(db, {
    checkpoint: createSqliteCheckpoint(db),
    folder: null,
    close: () => db.close(),
  });
}

function openToWork(folder: string, self: Self, shown: string): Store {
  refuseLinks(folder, [lockName, holderName, ...databaseFiles]);
  refuseLostCheckpoint(folder);
  const lock = lockRun(folder, self, shown);
  try {
    const isNew = !existsSync(join(folder, checkpointName));
    const checked = openWithBackgroundCheck(folder, lock.creations) ?? openChecked(folder, lock.creations);
    const { db, sound } = checked;
    const checkpoint = createSqliteCheckpoint(db, lock.note, sound);
    return storeOver(db, {
      checkpoint,
      folder,
      isNew,
      close: () => checked[Symbol.dispose](),
      lock,
      held: new HeldFiles(folder, db, self.now),
    });
  } catch (error) {
    lock[Symbol.dispose]();
    throw error;
  }
}

function holderOf(folder: string): Holder | null {
  return isFolderLocked(folder) ? readHolder(folder) : null;
}

/** Locks the folder, and announces it to others. Throws `HeldError` with the process that has it. */
function lockRun(folder: string, self: Self, shown: string): FolderLock {
  const lock = lockOrName(folder, self, shown);
  const note = noteHolder(folder, self.pid);
  return {
    ...lock,
    [Symbol.dispose]() {
      note[Symbol.dispose]();
      lock[Symbol.dispose]();
    },
  };
}

function lockOrName(folder: string, self: Self, shown: string): FolderLock {
  const unlocked = holderWithoutLock(folder, self);
  if (unlocked !== null) throw heldBy(shown, unlocked);
  try {
    return lockFolder(folder);
  } catch (error) {
    if (!(error instanceof HeldError)) throw error;
    throw heldBy(shown, holderOf(folder), error);
  }
}

function heldBy(folder: string, holder: Holder | null, cause?: unknown): HeldError {
  const { pid, host } = holder ?? { pid: null, host: null };
  return new HeldError(message('run.held', { folder, words: shellPath(folder), pid, host }), cause);
}

/** A process that works on the checkpoint, and whose lock was removed; a new lock would let a second one in until it ends. */
function holderWithoutLock(folder: string, self: Self): Holder | null {
  if (existsSync(join(folder, lockName)) || !existsSync(join(folder, checkpointName))) return null;
  const holder = readHolder(folder);
  const isOfHere = holder !== null && holder.host === null && holder.pid !== self.pid;
  return isOfHere && self.isRunning(holder.pid) ? holder : null;
}

/** Checks the checkpoint before it opens it. */
function openChecked(folder: string, creations: number) {
  const db = openDatabase(folder, creations);
  return { db, sound: Promise.resolve(), [Symbol.dispose]: () => closeDatabase(db) };
}

async function openToLook(folder: string): Promise<Store | null> {
  if (!isFolder(folder)) return null;
  refuseLinks(folder, databaseFiles);
  refuseLostCheckpoint(folder);
  // Even a reader makes files next to a database, which a read-only disk refuses; those of a process that works on it are there.
  const isReadOnly = codeOf(refusalToWrite(folder)) === 'EROFS';
  const needsCopy = isReadOnly && existsSync(join(folder, checkpointName)) && !isFolderLocked(folder);
  if (!needsCopy) return lookInto(folder);
  const copy = copyToLook(folder);
  const remove = (): void => copy[Symbol.dispose]();
  let store: Store | null = null;
  try {
    store = await lookAtCopy(copy.folder, folder, async () => lookInto(folder, copy.folder, remove));
    return store;
  } finally {
    if (store === null) remove();
  }
}

function copyToLook(folder: string): ReturnType<typeof copyCheckpoint> {
  try {
    return copyCheckpoint(folder);
  } catch (error) {
    throw new DiskError(message('store.unopened', { path: folder, failure: saidOf(error) }), error);
  }
}

/** `at`: the folder that has the database. */
function lookInto(folder: string, at = folder, closed: () => void = () => {}): Store | null {
  const db = openDatabaseReadOnly(at);
  if (db === null) return null;
  const close = (): void => {
    db.close();
    closed();
  };
  return storeOver(db, { checkpoint: createSqliteCheckpoint(db), folder, close });
}

/** Without the lock, which the process that works on the run has. */
function openSettings(folder: string): OpenSettings {
  refuseLinks(folder, databaseFiles);
  refuseLostCheckpoint(folder);
  const second = openWithoutLock(join(folder, checkpointName));
  const checked = { sound: Promise.resolve() };
  return {
    settings: new SqliteSettings(second.db, checked),
    reviews: sqliteReviews(second.db, checked),
    inspections: sqliteInspections(second.db, checked),
    [Symbol.asyncDispose]: async () => second[Symbol.dispose](),
  };
}

/** The parts of a store besides its database. */
interface Parts {
  readonly checkpoint: SqliteCheckpoint;
  /** Null for a temporary store. */
  readonly folder: string | null;
  readonly isNew?: boolean;
  /** Closes the database. */
  readonly close: () => void;
  /** Of a folder that this process has locked. */
  readonly lock?: Disposable;
  /** Its files as they were opened. */
  readonly held?: HeldFiles;
}

/** A store over an open database. */
export function storeOver(
  db: Database,
  { checkpoint, folder, isNew = false, close, lock, held }: Parts,
): SqliteStore {
  const settings = new SqliteSettings(db, checkpoint);
  const reviews = sqliteReviews(db, checkpoint);
  const remove = (name: string): void => {
    if (folder !== null) rmSync(join(folder, name), { force: true });
  };
  return {
    isNew,
    checkpoint,
    settings,
    reviews,
    decisions: sqliteDecisions(db, checkpoint),
    totals: sqliteTotals(db, () => checkpoint.prices()),
    inspections: sqliteInspections(db, checkpoint),
    sharing: null,
    archive: sqliteArchive(db, checkpoint),
    hooks: sqliteHookCalls(db, settings, checkpoint),
    isEmpty: async () => guard(db.name, () => db.prepare('SELECT 1 FROM items LIMIT 1').get() === undefined),
    checkSound: () => checkpoint.sound,
    checkPlace: () => held?.check(),
    openIngest: async () => new SqliteIngest(db, checkpoint),
    openWatch: async () => openRunWatch(folder ?? '', db, { checkpoint, settings, reviews }),
    abandon: async () => {
      close();
      // The log before the database: a log alone looks like a lost checkpoint, and later runs would be refused. Both before the
      // folder is free: a process that locks it then would lose its own checkpoint.
      for (const name of databaseFiles.toReversed()) remove(name);
      lock?.[Symbol.dispose]();
      remove(lockName);
    },
    [Symbol.asyncDispose]: async () => {
      try {
        if (held === undefined) close();
        else held.closeWith(close);
      } finally {
        lock?.[Symbol.dispose]();
      }
    },
  };
}

/** The store with the SQLite type of its checkpoint. */
export interface SqliteStore extends Store {
  readonly checkpoint: SqliteCheckpoint;
}

/** A symbolic link in place of one of these files would direct a write outside the folder. */
function refuseLinks(folder: string, names: readonly string[]): void {
  for (const name of names) {
    const path = join(folder, name);
    if (lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink())
      throw new UsageError(message('output.symbolic-link', { path }));
  }
}

/** False also when the path, or a part of it, is a file. */
function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch (error) {
    if (/^(ENOENT|ENOTDIR)$/.test(codeOf(error))) return false;
    throw new DiskError(message('store.unopened', { path, failure: saidOf(error) }), error);
  }
}
