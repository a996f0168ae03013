/** A run that another process writes, seen over a connection that can only read. */

import { join } from 'node:path';
import BetterSqlite from 'better-sqlite3';
import { type Item, type Status, statuses } from '../../core/item.ts';
import { codeOf } from '../../errors.ts';
import type { RowMark, RunWatch, StatusSum } from '../../ports.ts';
import { isVisible } from './checkpoint-statements.ts';
import { type Database, guard } from './database.ts';
import type { SqliteCheckpoint } from './sqlite-checkpoint.ts';

/** Marks read at a time: they are short, and other work gets its turn between two pages. */
const pageMarks = 10_000;

/** Folders whose row is remembered: those of the rows that are looked at now. */
const keptFolders = 10_000;

/** Watches the run in `folder` (absolute). `db` is open for looking, `checkpoint` is its checkpoint; neither is closed. */
export function openRunWatch(folder: string, db: Database, checkpoint: SqliteCheckpoint): RunWatch {
  const statements = prepare(db);
  const folders = new Map<string, number>();
  const guarded = <T>(work: () => T): T => guard(db.name, work);
  return {
    version: () => guarded(() => Number(db.pragma('data_version', { simple: true }))),
    isHeld: () => isHeld(folder),
    sums: () =>
      guarded(() => {
        const sums = new Map(statements.sums.all().map((sum) => [sum.status, sum]));
        return statuses.flatMap((status) => sums.get(status) ?? []);
      }),
    prices: () => guarded(() => statements.prices.get() ?? { points: 0, unpriced: 0 }),
    *marks() {
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
    marksOf: (keys) => guarded(() => statements.marksOf.all(JSON.stringify(keys))),
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

function prepare(db: Database) {
  const columns = 'key, row, gone, status, attempt';
  // Most folders are named as their row's id, which is indexed; a look at all rows is for the others.
  const named = db.prepare<{ folder: string }, { key: number }>(
    'SELECT key FROM items WHERE id = @folder AND folder = @folder',
  );
  const other = db.prepare<{ folder: string }, { key: number }>(
    'SELECT key FROM items WHERE folder = @folder',
  );
  return {
    // Answered by `items_by_status` alone, but for gone rows: a million rows take a tenth of a second.
    sums: db.prepare<[], StatusSum>(
      `SELECT status, count(*) AS count, count(*) FILTER (WHERE ${isVisible}) AS shown, sum(row) AS rows,
         sum(gone) AS gone, sum(attempt) AS attempts FROM items GROUP BY status`,
    ),
    // The rule of `reportLine`: a sum of nothing is 0 only where nothing can have been charged.
    prices: db.prepare<[], { points: number; unpriced: number }>(
      `SELECT (SELECT total(points) FROM attempts) AS points, count(*) AS unpriced FROM items
       WHERE (status = 'uncertain' OR (points IS NULL AND status NOT IN ('pending', 'invalid', 'rejected', 'failed'))
           OR key IN (SELECT item FROM attempts WHERE status = 'lost' AND points IS NULL))
         AND ${isVisible} AND (SELECT total(points) FROM attempts WHERE item = items.key) = 0`,
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

/**
 * Asks for the lock that a working process holds, for an instant and only to read. One that starts in this very instant
 * waits its tenth of a second and has the folder.
 */
function isHeld(folder: string): boolean {
  try {
    const lock = new BetterSqlite(join(folder, 'batch.lock'), {
      readonly: true,
      fileMustExist: true,
      timeout: 0,
    });
    try {
      lock.pragma('user_version');
      return false;
    } finally {
      lock.close();
    }
  } catch (error) {
    return /^SQLITE_(BUSY|LOCKED)/.test(codeOf(error));
  }
}
