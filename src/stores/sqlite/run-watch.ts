/** Follows a run that another process writes, over a read-only connection. */

import { UsageError } from '../../errors.ts';
import { message } from '../../messages/message.ts';
import type { Item } from '../../money/item.ts';
import type { RunPrices, RunWatch, StatusSum } from '../port/reading.ts';
import { isUnpriced, sortSums, type Watched, watchIn } from '../run-watch.ts';
import { type Database, guard } from './database.ts';
import { dialect, sqliteDatabase } from './dialect.ts';
import { isFolderLocked } from './folder-lock.ts';
import { fileAt } from './held-files.ts';
import { inputVersionName } from './import/apply-statements.ts';
import type { SqliteCheckpoint } from './sqlite-checkpoint.ts';

const noPrices: RunPrices = { points: 0, unpriced: 0, pricedVideos: 0, videoPoints: 0 };

/** How many folders are remembered with their row; viewers ask for the same few again. */
const keptFolders = 10_000;

/** Watches the run in `folder` (absolute) over a database opened read-only; closes nothing. */
export function openRunWatch(
  folder: string,
  db: Database,
  watched: Watched & { readonly checkpoint: SqliteCheckpoint },
): RunWatch {
  const { checkpoint, settings } = watched;
  const statements = prepare(db);
  const folders = new Map<string, number>();
  const opened = fileAt(db.name);
  const guarded = <T>(work: () => T): T => guard(db.name, work);
  return {
    async version() {
      // The connection would go on reading the old file after its folder was moved or replaced.
      if (fileAt(db.name) !== opened) {
        throw new UsageError(message('store.gone', { path: db.name }));
      }
      return guarded(() => Number(db.pragma('data_version', { simple: true })));
    },
    isInUse: async () => isFolderLocked(folder),
    inputVersion: async () => Number((await settings.get(inputVersionName)) ?? 0),
    ...watchIn(sqliteDatabase(db), watched),
    sums: async () => sortSums(guarded(() => statements.sums.all())),
    prices: async () => guarded(() => statements.prices.get() ?? noPrices),
    async itemInFolder(name): Promise<Item | null> {
      const key = folders.get(name) ?? guarded(() => statements.inFolder(name));
      if (key === null) return null;
      if (folders.size >= keptFolders) folders.clear();
      folders.set(name, key);
      return checkpoint.itemWithKey(key);
    },
  };
}

function prepare(db: Database) {
  // Most folders are named after the row's id, which is indexed; the others need a scan.
  const named = db.prepare<{ folder: string }, { key: number }>(
    'SELECT key FROM items WHERE id = @folder AND folder = @folder',
  );
  const other = db.prepare<{ folder: string }, { key: number }>(
    'SELECT key FROM items WHERE folder = @folder',
  );
  return {
    // Reads only the index `items_by_status`, except for gone rows: a tenth of a second for a million.
    sums: db.prepare<[], StatusSum>(
      `SELECT status, count(*) AS count, count(*) FILTER (WHERE ${dialect.isShown}) AS shown, sum(row) AS rows,
         sum(gone) AS gone, sum(attempt) AS attempts FROM items GROUP BY status`,
    ),
    prices: db.prepare<[], RunPrices>(
      `SELECT (SELECT total(points) FROM attempts) AS points, count(*) AS unpriced,
         (SELECT count(points) FROM attempts WHERE status = 'completed') AS pricedVideos,
         (SELECT total(points) FROM attempts WHERE status = 'completed') AS videoPoints FROM items
       WHERE ${isUnpriced(dialect)}`,
    ),
    inFolder: (folder: string): number | null =>
      (named.get({ folder }) ?? other.get({ folder }))?.key ?? null,
  };
}
