/** Opens an output folder: to work in it, alone, or only to look. */

import { existsSync, mkdirSync, rmdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import {
  checkpointName,
  type Database,
  openDatabase,
  openDatabaseReadOnly,
} from '../adapters/sqlite/database.ts';
import { holdFolder } from '../adapters/sqlite/folder-lock.ts';
import { createSqliteCheckpoint, type SqliteCheckpoint } from '../adapters/sqlite/sqlite-checkpoint.ts';
import { codeOf, DiskError, messageOf, UsageError } from '../errors.ts';
import type { RawOptions } from '../job-file.ts';

/** An open checkpoint. */
export interface OpenFolder extends Disposable {
  readonly db: Database;
  readonly checkpoint: SqliteCheckpoint;
  /** True when this process made the checkpoint. */
  readonly isNew: boolean;
  /** Takes back a checkpoint that this process made and that holds nothing. */
  abandon(): void;
}

/** The folder for this process alone, made when it is not there. Throws `HeldError` when another one has it. */
export function openFolder(folder: string): OpenFolder {
  const madeFolder = makeFolder(folder);
  const lock = holdFolder(folder);
  const isNew = !existsSync(join(folder, checkpointName));
  try {
    const db = openDatabase(folder);
    const close = (): void => {
      if (db.open) db.close();
      lock[Symbol.dispose]();
    };
    const abandon = (): void => {
      close();
      for (const name of [checkpointName, 'batch.lock']) rmSync(join(folder, name), { force: true });
      if (madeFolder) rmdirSync(folder);
    };
    return { db, checkpoint: createSqliteCheckpoint(db), isNew, abandon, [Symbol.dispose]: close };
  } catch (error) {
    lock[Symbol.dispose]();
    throw error;
  }
}

function makeFolder(folder: string): boolean {
  try {
    return mkdirSync(folder, { recursive: true }) !== undefined;
  } catch (error) {
    if (codeOf(error) === 'ENOTDIR' || codeOf(error) === 'EEXIST')
      throw new UsageError(`the output folder ${folder} is not a folder; choose another --out`, error);
    const advice = `${messageOf(error)}; choose another --out`;
    throw new DiskError(`the output folder ${folder} cannot be made: ${advice}`, error);
  }
}

/** The folder of an earlier run, for this process alone. */
export function openExistingFolder(folder: string): OpenFolder {
  if (!existsSync(join(folder, checkpointName))) throw noRun(folder);
  return openFolder(folder);
}

/** The folder of a run for looking only, also while the run goes on. */
export function lookIntoFolder(folder: string): Pick<OpenFolder, 'db' | 'checkpoint'> & Disposable {
  const db = openDatabaseReadOnly(folder);
  if (db === null) throw noRun(folder);
  return { db, checkpoint: createSqliteCheckpoint(db), [Symbol.dispose]: () => void db.close() };
}

function noRun(folder: string): UsageError {
  return new UsageError(`there is no run in ${folder}; start one with \`batch run FILE --out DIR\``);
}

/** The options saved with the run. */
export function readSavedOptions(checkpoint: SqliteCheckpoint): RawOptions {
  const saved = checkpoint.setting('options');
  return saved === null ? {} : (JSON.parse(saved) as RawOptions);
}
