/** The whole run as records, in the checkpoint of a folder. */

import { UsageError } from '../../errors.ts';
import { message } from '../../messages/message.ts';
import { dumpRun, loadRun, type TableReader, type WriteRow } from '../archive.ts';
import type { Archive, MoveMark } from '../port/archive.ts';
import { byteColumns, columnList, databaseName, tableNames, tables } from '../tables.ts';
import { type Database, guard, parseSaved } from './database.ts';
import { inputVersionName } from './import/apply-statements.ts';
import { markName } from './move-mark.ts';
import type { SqliteCheckpoint } from './sqlite-checkpoint.ts';

/** `checkpoint` must be over the same `db`. */
export function sqliteArchive(db: Database, checkpoint: SqliteCheckpoint): Archive {
  const guarded = <T>(work: () => T): T => guard(db.name, work);
  const writeMark = (next: MoveMark | null): void => {
    db.prepare('DELETE FROM settings WHERE name = ?').run(markName);
    if (next !== null) db.prepare('INSERT INTO settings VALUES (?, ?)').run(markName, JSON.stringify(next));
  };
  const read = (): MoveMark | null => {
    const query = 'SELECT value FROM settings WHERE name = ?';
    const row = guarded(() => db.prepare<[string], { value: string }>(query).get(markName));
    return row === undefined ? null : parseSaved<MoveMark>(db.name, row.value);
  };
  return {
    mark: async () => read(),
    async setMark(before, after) {
      await checkpoint.sound;
      if (read()?.state !== before?.state || read()?.place !== before?.place)
        throw new UsageError(message('store.moved-by-another'));
      guarded(() => db.transaction(() => writeMark(after))());
    },
    async *dump() {
      await checkpoint.sound;
      yield* dumpRun(readerOf(db));
    },
    async load(records, next) {
      await checkpoint.sound;
      guarded(() => db.exec('BEGIN IMMEDIATE'));
      try {
        refuseOthers(db, read(), next);
        guarded(() => removeAll(db));
        await loadRun(records, writerOf(db));
        guarded(() => {
          writeMark(next);
          db.exec('COMMIT');
        });
      } catch (error) {
        if (db.inTransaction) db.exec('ROLLBACK');
        throw error;
      }
      checkpoint.noteAll();
    },
  };
}

/** Throws `UsageError` where rows of another run would be replaced, or of one that continues here. */
function refuseOthers(db: Database, known: MoveMark | null, { move }: MoveMark): void {
  if (known === null && db.prepare('SELECT 1 FROM items LIMIT 1').get() === undefined) return;
  if (known?.move === move) return;
  throw new UsageError(message('folder.holds', { folder: db.name, kind: 'other' }));
}

function readerOf(db: Database): TableReader {
  return {
    place: db.name,
    ownSettings: [markName, inputVersionName],
    value: '?',
    isAmong: 'item IN (SELECT value FROM json_each(?))',
    digits: (column) => `lower(hex(${column}))`,
    inOrder: (column) => column,
    rows: async <T extends object>(query: string, value?: string | number | readonly number[]) =>
      guard(db.name, () =>
        db.prepare<unknown[], T>(query).all(typeof value === 'object' ? JSON.stringify(value) : value),
      ),
  };
}

/** Children before their parents, and corrections before their earlier ones, to which the removal adds. */
function removeAll(db: Database): void {
  for (const table of tableNames.toReversed()) db.exec(`DELETE FROM ${databaseName(table)}`);
}

function writerOf(db: Database): WriteRow {
  const parameterOf = (field: string): string => (byteColumns.has(field) ? `unhex(@${field})` : `@${field}`);
  const inserts = new Map(
    tableNames.map((table) => {
      const values = tables[table].map(parameterOf).join(', ');
      const text = `INSERT INTO ${databaseName(table)} (${columnList(tables[table])}) VALUES (${values})`;
      return [table, db.prepare<object>(text)] as const;
    }),
  );
  return (table, fields) => {
    guard(db.name, () => inserts.get(table)?.run(fields));
  };
}
