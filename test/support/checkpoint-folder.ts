/** A checkpoint on a real database in a folder of its own, and the taking up of files into it. */

import {
  type Database,
  openDatabase,
  openDatabaseReadOnly,
  openScratchDatabase,
} from '../../src/adapters/sqlite/database.ts';
import { Ingest, type IngestOptions, type PlanOptions } from '../../src/adapters/sqlite/ingest.ts';
import {
  createSqliteCheckpoint,
  type SqliteCheckpoint,
} from '../../src/adapters/sqlite/sqlite-checkpoint.ts';
import type { Item } from '../../src/core/item.ts';
import type { Plan } from '../../src/core/plan.ts';
import type { IncomingRow } from '../../src/core/question.ts';
import type { Problem } from '../../src/errors.ts';
import { temporaryFolder } from '../adapters/temporary-folder.ts';
import { source } from './incoming-rows.ts';

/** When files are taken up here (epoch ms). */
const takenUpAt = Date.UTC(2026, 2, 1, 8);

/** What a file was found to mean, before it was taken up. */
interface Judgement {
  readonly plan: Plan;
  readonly problems: readonly Problem[];
}

export interface CheckpointFolder extends AsyncDisposable {
  readonly path: string;
  readonly db: Database;
  readonly checkpoint: SqliteCheckpoint;
  /** Holds the rows against the checkpoint and takes them up, unless they have problems. */
  ingestOptions(rows: readonly IncomingRow[], how?: Partial<IngestOptions>): Judgement;
  /** What taking these rows up would do. */
  plan(rows: readonly IncomingRow[], how: Partial<PlanOptions>): Plan;
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

function checkpointOver(path: string, db: Database, folder: AsyncDisposable): CheckpointFolder {
  const checkpoint = createSqliteCheckpoint(db);
  return {
    path,
    db,
    checkpoint,
    ingestOptions: (rows, how = {}) => {
      using ingest = new Ingest(db);
      const judgement = judge(ingest, rows, how);
      const ingestOptions = {
        source,
        at: takenUpAt,
        add: false,
        isMended: false,
        rerunChanged: false,
        ...how,
      };
      if (judgement.problems.length === 0) ingest.apply(checkpoint, ingestOptions);
      return judgement;
    },
    plan: (rows, how) => {
      using ingest = new Ingest(db);
      return judge(ingest, rows, how).plan;
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

/** The plan of these rows against the checkpoint of a folder that is only looked at. */
export function lookAt(path: string, rows: readonly IncomingRow[]): Plan {
  const db = openDatabaseReadOnly(path);
  if (db === null) throw new Error(`${path} holds no checkpoint`);
  try {
    using ingest = new Ingest(db);
    return judge(ingest, rows, {}).plan;
  } finally {
    db.close();
  }
}

function judge(
  ingest: Ingest,
  rows: readonly IncomingRow[],
  how: Partial<PlanOptions & IngestOptions>,
): Judgement {
  ingest.add(rows);
  const problems = ingest.match({ add: how.add ?? false, isMended: how.isMended ?? false });
  const plan = ingest.plan({
    add: how.add ?? false,
    rerunChanged: how.rerunChanged ?? false,
    only: how.only ?? null,
  });
  return { plan, problems };
}
