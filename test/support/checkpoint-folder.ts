/** A store on a real database in a folder of its own, for tests that look into the database. */

import type { Plan } from '../../src/money/plan.ts';
import type { IncomingRow } from '../../src/money/question.ts';
import {
  type Database,
  openDatabase,
  openDatabaseReadOnly,
  openScratchDatabase,
} from '../../src/stores/sqlite/database.ts';
import { createSqliteCheckpoint, type SqliteCheckpoint } from '../../src/stores/sqlite/sqlite-checkpoint.ts';
import { type SqliteStore, storeOver } from '../../src/stores/sqlite/sqlite-store.ts';
import { runOver, type StoreRun } from './store-run.ts';
import { temporaryFolder } from './temporary-folder.ts';

export interface CheckpointFolder extends StoreRun<SqliteStore>, AsyncDisposable {
  readonly path: string;
  readonly db: Database;
}

/** A new folder with an empty checkpoint. */
export async function openCheckpointFolder(): Promise<CheckpointFolder> {
  const folder = await temporaryFolder();
  return checkpointOver(folder.path, openDatabase(folder.path), folder);
}

/** An empty checkpoint in no folder, for thousands of tries: nothing is synced. */
export function openScratchCheckpoint(): CheckpointFolder {
  return checkpointOver('', openScratchDatabase(), { [Symbol.asyncDispose]: async () => {} });
}

/** A store over an open database, which whoever opened it closes. */
export function openStoreOver(
  db: Database,
  checkpoint: SqliteCheckpoint = createSqliteCheckpoint(db),
): SqliteStore {
  return storeOver(db, { checkpoint, folder: null, close: () => {} });
}

function checkpointOver(path: string, db: Database, folder: AsyncDisposable): CheckpointFolder {
  return {
    ...runOver(openStoreOver(db)),
    path,
    db,
    [Symbol.asyncDispose]: async () => {
      db.close();
      await folder[Symbol.asyncDispose]();
    },
  };
}

/** The plan of these rows against the checkpoint of a folder that is only looked at. */
export async function lookAt(path: string, rows: readonly IncomingRow[]): Promise<Plan> {
  const db = openDatabaseReadOnly(path);
  if (db === null) throw new Error(`${path} holds no checkpoint`);
  try {
    return await runOver(openStoreOver(db)).plan(rows);
  } finally {
    db.close();
  }
}
