/** Follows a run that another process writes, over a read-only connection. */

import { statSync } from 'node:fs';
import { UsageError } from '../../errors.ts';
import { type Item, type Status, statuses } from '../../money/item.ts';
import { sqlList } from '../../money/statuses.ts';
import type { RowMark, RunPrices, RunWatch, StatusSum } from '../port/reading.ts';
import type { Store } from '../port/store.ts';
import { type Database, guard } from './database.ts';
import { dialect } from './dialect.ts';
import { isFolderHeld } from './folder-lock.ts';
import { inputVersionName } from './import/ingest-statements.ts';
import { reviewVersionName } from './reviews.ts';
import type { SqliteCheckpoint } from './sqlite-checkpoint.ts';

const noPrices: RunPrices = { points: 0, unpriced: 0, pricedVideos: 0, videoPoints: 0 };

/** Marks read at a time: they are short, and other work can run between two pages. */
const pageMarks = 10_000;

/** How many folders are remembered with their row; viewers ask for the same few again. */
const keptFolders = 10_000;

/** Watches the run in `folder` (absolute) over a database opened read-only; closes nothing. */
export function openRunWatch(
  folder: string,
  db: Database,
  {
    checkpoint,
    settings,
    reviews,
  }: Pick<Store, 'settings' | 'reviews'> & {
    readonly checkpoint: SqliteCheckpoint;
  },
): RunWatch {
  const statements = prepare(db);
  const folders = new Map<string, number>();
  const opened = fileOf(db.name);
  const guarded = <T>(work: () => T): T => guard(db.name, work);
  return {
    async version() {
      // The connection would go on reading the old file after its folder was moved or replaced.
      if (fileOf(db.name) !== opened) {
        const advice = '`batch view` again shows what is there now';
        throw new UsageError(`${db.name} was removed, or another one is in its place; ${advice}`);
      }
      return guarded(() => Number(db.pragma('data_version', { simple: true })));
    },
    isHeld: async () => isFolderHeld(folder),
    inputVersion: async () => Number((await settings.get(inputVersionName)) ?? 0),
    reviewVersion: async () => Number((await settings.get(reviewVersionName)) ?? 0),
    reviews,
    sums: async () =>
      guarded(() => {
        const sums = new Map(statements.sums.all().map((sum) => [sum.status, sum]));
        return statuses.flatMap((status) => sums.get(status) ?? []);
      }),
    prices: async () => guarded(() => statements.prices.get() ?? noPrices),
    async *marks() {
      for (const status of statuses) {
        let last = { row: -1, key: -1 };
        while (true) {
          const page = guarded(() => statements.marks.all({ status, ...last }));
          yield page;
          const end = page.at(-1);
          if (end === undefined || page.length < pageMarks) break;
          last = { row: end.row, key: end.key };
        }
      }
    },
    marksOf: async (keys) => guarded(() => statements.marksOf.all(JSON.stringify(keys))),
    items: (wanted) => checkpoint.items(wanted),
    reportRows: () => checkpoint.reportRows(),
    reportRowsOf: (keys) => checkpoint.reportRowsOf(keys),
    async itemInFolder(name): Promise<Item | null> {
      const key = folders.get(name) ?? guarded(() => statements.inFolder(name));
      if (key === null) return null;
      if (folders.size >= keptFolders) folders.clear();
      folders.set(name, key);
      return checkpoint.itemWithKey(key);
    },
  };
}

/** Identifies the file at this path; empty when it is missing. */
function fileOf(path: string): string {
  const stat = statSync(path, { bigint: true, throwIfNoEntry: false });
  return stat === undefined ? '' : `${stat.dev} ${stat.ino}`;
}

function prepare(db: Database) {
  const columns = 'key, row, gone, status, attempt';
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
    // The rule of `reportLine`: a sum of nothing is 0 only where nothing can have been charged.
    prices: db.prepare<[], RunPrices>(
      `SELECT (SELECT total(points) FROM attempts) AS points, count(*) AS unpriced,
         (SELECT count(points) FROM attempts WHERE status = 'completed') AS pricedVideos,
         (SELECT total(points) FROM attempts WHERE status = 'completed') AS videoPoints FROM items
       WHERE (status = 'uncertain' OR (points IS NULL AND status NOT IN ${sqlList('free')})
           OR key IN (SELECT item FROM attempts WHERE status = 'lost' AND points IS NULL))
         AND ${dialect.isShown} AND (SELECT total(points) FROM attempts WHERE item = items.key) = 0`,
    ),
    marks: db.prepare<{ status: Status; row: number; key: number }, RowMark>(
      `SELECT ${columns} FROM items WHERE status = @status AND (row, key) > (@row, @key)
       ORDER BY row, key LIMIT ${pageMarks}`,
    ),
    marksOf: db.prepare<[string], RowMark>(
      `SELECT ${columns} FROM items WHERE key IN (SELECT value FROM json_each(?))`,
    ),
    inFolder: (folder: string): number | null =>
      (named.get({ folder }) ?? other.get({ folder }))?.key ?? null,
  };
}
