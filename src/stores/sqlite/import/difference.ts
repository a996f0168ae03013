/**
 * What an import changes in a run, as rows: noted while it is carried out on one copy of the run, and then carried out on
 * another one. Which row is which is decided once, by the statements that import into the first copy.
 */

import { columnList, databaseName, tables } from '../../tables.ts';
import type { Database } from '../database.ts';

/**
 * The tables that an import writes, by the key of their rows, in the order in which another copy takes them: an item before its text,
 * because a trigger on items keeps the text that was sent, and what that kept here after both.
 */
const writtenTables = {
  sources: ['key'],
  items: ['key'],
  attempts: ['item', 'attempt'],
  artifacts: ['item', 'kind', 'ordinal'],
  questions: ['item'],
  earlierInputs: ['item', 'attempt'],
  edits: ['item'],
  pictured: ['item'],
  pictures: ['path'],
  settings: ['name'],
} as const satisfies Partial<Record<keyof typeof tables, readonly string[]>>;

type WrittenTable = keyof typeof writtenTables;

const writtenNames = Object.keys(writtenTables) as readonly WrittenTable[];

/** A row by the names of its columns in the database. */
type Row = Readonly<Record<string, unknown>>;

/** The key of a row as one text. */
function keyOf(table: WrittenTable, row: 'NEW' | 'OLD'): string {
  return `json_array(${writtenTables[table].map((column) => `${row}.${column}`).join(', ')})`;
}

/** Notes what is written, from its creation until it is disposed. The changes of one transaction are those of one import. */
export class ImportNotes implements Disposable {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
    this[Symbol.dispose]();
    db.exec('CREATE TEMP TABLE noted (place TEXT, row_key TEXT, PRIMARY KEY (place, row_key)) WITHOUT ROWID');
    for (const table of writtenNames)
      for (const [event, row] of [
        ['INSERT', 'NEW'],
        ['UPDATE', 'NEW'],
        ['DELETE', 'OLD'],
      ] as const)
        db.exec(
          `CREATE TEMP TRIGGER note_${table}_${event} AFTER ${event} ON main.${databaseName(table)} BEGIN
             INSERT OR IGNORE INTO noted VALUES ('${table}', ${keyOf(table, row)});
           END`,
        );
  }

  /** Rows that are new, or not as they were. */
  written(table: WrittenTable): IterableIterator<Row> {
    return this.#db
      .prepare<[], Row>(
        `SELECT ${columnList(tables[table])} FROM noted n JOIN ${databaseName(table)} t ON ${isNoted(table)}
         WHERE n.place = '${table}'`,
      )
      .iterate();
  }

  /** The keys of rows that are no longer there. */
  removed(table: WrittenTable): IterableIterator<unknown[]> {
    return this.#db
      .prepare<[]>(
        `SELECT ${writtenTables[table].map((_, at) => keyPart(at)).join(', ')} FROM noted n
         WHERE n.place = '${table}' AND NOT EXISTS (SELECT 1 FROM ${databaseName(table)} t WHERE ${isNoted(table)})`,
      )
      .raw()
      .iterate() as IterableIterator<unknown[]>;
  }

  [Symbol.dispose](): void {
    for (const table of writtenNames)
      for (const event of ['INSERT', 'UPDATE', 'DELETE'])
        this.#db.exec(`DROP TRIGGER IF EXISTS temp.note_${table}_${event}`);
    this.#db.exec('DROP TABLE IF EXISTS temp.noted');
  }
}

const keyPart = (at: number): string => `n.row_key ->> ${at}`;

function isNoted(table: WrittenTable): string {
  return writtenTables[table].map((column, at) => `t.${column} = ${keyPart(at)}`).join(' AND ');
}

/** Makes the noted changes in a copy of the run as it was before them. One transaction. */
export function applyDifference(db: Database, notes: ImportNotes): void {
  db.transaction(() => {
    for (const table of writtenNames) {
      const name = databaseName(table);
      const keys: readonly string[] = writtenTables[table];
      const remove = db.prepare<unknown[]>(
        `DELETE FROM ${name} WHERE ${keys.map((column) => `${column} = ?`).join(' AND ')}`,
      );
      for (const key of notes.removed(table)) remove.run(...key);
      const columns = tables[table].map(databaseName);
      // Not one statement for both: in the triggers of an upsert, OR IGNORE would not hold.
      const update = db.prepare<object>(
        `UPDATE ${name} SET ${columns.map((column) => `${column} = @${column}`).join(', ')}
         WHERE ${keys.map((column) => `${column} = @${column}`).join(' AND ')}`,
      );
      const insert = db.prepare<object>(
        `INSERT INTO ${name} (${columnList(tables[table])}) VALUES (${columns.map((column) => `@${column}`).join(', ')})`,
      );
      for (const row of notes.written(table)) if (update.run(row).changes === 0) insert.run(row);
    }
  })();
}
