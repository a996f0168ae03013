/** A store on a real database in a folder of its own, and the import of files into it. */

import {
  type Database,
  openDatabase,
  openDatabaseReadOnly,
  openScratchDatabase,
} from '../../src/adapters/sqlite/database.ts';
import {
  createSqliteCheckpoint,
  type SqliteCheckpoint,
} from '../../src/adapters/sqlite/sqlite-checkpoint.ts';
import { type SqliteStore, storeOver } from '../../src/adapters/sqlite/sqlite-store.ts';
import type { Item } from '../../src/core/item.ts';
import type { Plan } from '../../src/core/plan.ts';
import type { IncomingRow } from '../../src/core/question.ts';
import type { Problem } from '../../src/errors.ts';
import type { Ingest, IngestOptions, PlanOptions, Store } from '../../src/store.ts';
import { temporaryFolder } from '../adapters/temporary-folder.ts';
import { source } from './incoming-rows.ts';

/** When files are imported here (epoch ms). */
const importedAt = Date.UTC(2026, 2, 1, 8);

/** What a file was found to mean, before it was imported. */
interface Judgement {
  readonly plan: Plan;
  readonly problems: readonly Problem[];
}

export interface CheckpointFolder extends AsyncDisposable {
  readonly path: string;
  readonly db: Database;
  readonly store: SqliteStore;
  readonly checkpoint: SqliteCheckpoint;
  /** Compares the rows with the checkpoint and imports them, unless they have problems. */
  ingest(rows: readonly IncomingRow[], how?: Partial<IngestOptions>): Promise<Judgement>;
  /** What importing these rows would do. */
  plan(rows: readonly IncomingRow[], how: Partial<PlanOptions>): Promise<Plan>;
  /** All items as they are saved, those of gone rows included, in the order they were first seen. */
  all(): Promise<Item[]>;
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
  const store = openStoreOver(db);
  const { checkpoint } = store;
  return {
    path,
    db,
    store,
    checkpoint,
    ingest: (rows, how) => importRows(store, rows, how),
    plan: async (rows, how) => {
      await using ingest = await store.openIngest();
      return (await judge(ingest, rows, how)).plan;
    },
    all: async () => {
      const keys = db.prepare<[], { key: number }>('SELECT key FROM items ORDER BY key').all();
      const items = await Promise.all(keys.map(({ key }) => checkpoint.itemWithKey(key)));
      return items.filter((item) => item !== null);
    },
    [Symbol.asyncDispose]: async () => {
      db.close();
      await folder[Symbol.asyncDispose]();
    },
  };
}

/** Compares the rows with those of a store and imports them, unless they have problems. */
async function importRows(
  store: Pick<Store, 'openIngest'>,
  rows: readonly IncomingRow[],
  how: Partial<IngestOptions> = {},
): Promise<Judgement> {
  await using ingest = await store.openIngest();
  const judgement = await judge(ingest, rows, how);
  const options = { source, at: importedAt, add: false, isMended: false, rerunChanged: false, ...how };
  if (judgement.problems.length === 0) await ingest.apply(options);
  return judgement;
}

/** The plan of these rows against the checkpoint of a folder that is only looked at. */
export async function lookAt(path: string, rows: readonly IncomingRow[]): Promise<Plan> {
  const db = openDatabaseReadOnly(path);
  if (db === null) throw new Error(`${path} holds no checkpoint`);
  try {
    await using ingest = await openStoreOver(db).openIngest();
    return (await judge(ingest, rows, {})).plan;
  } finally {
    db.close();
  }
}

async function judge(
  ingest: Ingest,
  rows: readonly IncomingRow[],
  how: Partial<PlanOptions & IngestOptions>,
): Promise<Judgement> {
  const { add = false, isMended = false, rerunChanged = false, only = null } = how;
  await ingest.add(rows);
  const problems = await ingest.match({ add, isMended });
  // A plan with `isMended` is judged as one of an added file: its rows that left are another matter.
  const plan = await ingest.plan({ add, isMended: false, rerunChanged, only });
  return { plan, problems };
}
