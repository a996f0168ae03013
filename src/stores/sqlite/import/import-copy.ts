/** What a run in another store knows of its rows, in a temporary database in which a file is imported. */

import type { Problem } from '../../../errors.ts';
import type {
  ImportCopy,
  ImportDifference,
  ImportTable,
  IngestOptions,
  JoinOptions,
} from '../../port/import.ts';
import { byteColumns, columnList, databaseName, importedWithItems, tables } from '../../tables.ts';
import { type Database, guard, openScratchDatabase } from '../database.ts';
import { createSqliteCheckpoint } from '../sqlite-checkpoint.ts';
import { ImportNotes } from './import-notes.ts';
import { SqliteIngest } from './ingest.ts';

/** An empty copy. Disposing it removes it. */
export function openImportCopy(): ImportCopy {
  const db = openScratchDatabase();
  // What belongs to items is taken over as far as an import asks.
  db.pragma('foreign_keys = OFF');
  db.exec('BEGIN');
  return new SqliteImportCopy(db);
}

/** An index of the items, and how it is made: when the first rows are there, in half the time for a million. */
interface Index {
  readonly name: string;
  readonly sql: string;
}

const ofItems = `
  SELECT name, sql FROM sqlite_schema WHERE type = 'index' AND tbl_name = 'items' AND sql IS NOT NULL`;

/** All in one transaction that is never committed, with two places to go back to: before the match and before the import. */
class SqliteImportCopy extends SqliteIngest implements ImportCopy {
  readonly #db: Database;
  #isMatched = false;
  #isImported = false;
  #dropped: readonly Index[];

  constructor(db: Database) {
    super(db, createSqliteCheckpoint(db));
    this.#db = db;
    this.#dropped = db.prepare<[], Index>(ofItems).all();
    for (const { name } of this.#dropped) db.exec(`DROP INDEX ${name}`);
  }

  get isAnyKnown(): boolean {
    return this.staged.isAnyKnown;
  }

  get isAnyFound(): boolean {
    return this.staged.isAnyFound;
  }

  take(table: ImportTable, rows: Iterable<readonly (string | null)[]>): void {
    const values = tables[table].map((field) => (byteColumns.has(field) ? 'unhex(?)' : '?')).join(', ');
    const insert = this.#db.prepare<unknown[]>(
      `INSERT OR REPLACE INTO ${databaseName(table)} (${columnList(tables[table])}) VALUES (${values})`,
    );
    guard(this.#db.name, () => {
      for (const row of rows) insert.run(...row);
    });
  }

  taken(): void {
    guard(this.#db.name, () => {
      for (const { sql } of this.#dropped) this.#db.exec(sql);
    });
    this.#dropped = [];
    this.staged.lookForKnown();
  }

  forget(items: readonly number[]): void {
    guard(this.#db.name, () => {
      if (this.#isMatched) this.#db.exec('ROLLBACK TO unmatched; RELEASE unmatched');
      this.#isMatched = false;
      this.#isImported = false;
      this.staged.compareAgain(items);
      for (const table of importedWithItems) {
        const drop = this.#db.prepare<[number]>(`DELETE FROM ${table} WHERE item = ?`);
        for (const item of items) drop.run(item);
      }
    });
  }

  override async match(join: JoinOptions): Promise<readonly Problem[]> {
    guard(this.#db.name, () =>
      this.#db.exec(this.#isMatched ? 'ROLLBACK TO unmatched' : 'SAVEPOINT unmatched'),
    );
    this.#isMatched = true;
    this.#isImported = false;
    return super.match(join);
  }

  sentAgain({ rerunChanged }: Pick<IngestOptions, 'rerunChanged'>): readonly number[] {
    return rerunChanged ? guard(this.#db.name, () => this.rerunnable().map(({ key }) => key)) : [];
  }

  difference(options: IngestOptions): ImportDifference {
    const notes = guard(this.#db.name, () => {
      this.#db.exec(this.#isImported ? 'ROLLBACK TO imported' : 'SAVEPOINT imported');
      this.#isImported = true;
      return new ImportNotes(this.#db);
    });
    this.applyNow(options);
    return notes;
  }

  override async [Symbol.asyncDispose](): Promise<void> {
    this.#db.close();
  }
}
