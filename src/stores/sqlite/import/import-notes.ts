/** What an import changes, noted while it is made. */

import type { CopiedValue, ImportDifference, ImportTable } from '../../port/import.ts';
import { columnList, databaseName, importOwners, importTables, tables } from '../../tables.ts';
import type { Database } from '../database.ts';
import { inputVersionName } from './apply-statements.ts';

/** The temporary table with the owners of rows that are not as they were. */
const noted = (table: ImportTable): string => `noted_${databaseName(table)}`;

/** Notes what is written from its creation on. What has a new key is not noted: the keys show it, without a cost for each row. */
export class ImportNotes implements ImportDifference {
  readonly #db: Database;
  readonly #inputVersion: string | null;
  /** The greatest keys before the import. */
  readonly #greatest: Readonly<Record<'sources' | 'items', number>>;

  constructor(db: Database) {
    this.#db = db;
    this.#inputVersion = this.#readInputVersion();
    this.#greatest = { sources: this.#greatestKey('sources'), items: this.#greatestKey('items') };
    for (const table of importTables) {
      // With the type of the owner: without one the table would be scanned for each row.
      const type = importOwners[table] === 'path' ? 'TEXT' : 'INTEGER';
      db.exec(`CREATE TEMP TABLE ${noted(table)} (owner ${type} PRIMARY KEY)`);
    }
    for (const table of importTables) this.#note(table);
  }

  #note(table: ImportTable): void {
    const owner = importOwners[table];
    for (const [event, row] of [
      ['INSERT', 'NEW'],
      ['UPDATE', 'NEW'],
      ['DELETE', 'OLD'],
    ] as const) {
      // Not OR IGNORE: the statement decides what becomes of a conflict in its triggers, and an upsert fails.
      const note = (place: ImportTable): string => `INSERT INTO ${noted(place)} SELECT ${row}.${owner}
        WHERE NOT EXISTS (SELECT 1 FROM ${noted(place)} WHERE owner = ${row}.${owner});`;
      // Others follow the items: a change of what belongs to one is a change of it.
      const notes = owner === 'item' ? note(table) + note('items') : note(table);
      const isKnown = owner === 'path' ? 'true' : `${row}.${owner} <= ${this.#lastOwner(table)}`;
      this.#db.exec(`CREATE TEMP TRIGGER note_${table}_${event} AFTER ${event} ON main.${databaseName(table)}
        WHEN ${isKnown} BEGIN ${notes} END`);
    }
  }

  get isEmpty(): boolean {
    // A source that no row was read from is no change.
    return this.newItems === 0 && !importTables.some((table) => this.#isAnyNoted(table));
  }

  #isAnyNoted(table: ImportTable): boolean {
    return this.#db.prepare(`SELECT 1 FROM temp.${noted(table)} LIMIT 1`).get() !== undefined;
  }

  get isInputMoved(): boolean {
    return this.#readInputVersion() !== this.#inputVersion;
  }

  get newItems(): number {
    return this.#greatestKey('items') - this.#greatest.items;
  }

  outdated(table: ImportTable): IterableIterator<number | string> {
    return this.#db
      .prepare<[], number | string>(`SELECT owner FROM temp.${noted(table)}`)
      .pluck()
      .iterate();
  }

  rows(table: ImportTable, which: 'new' | 'outdated'): Iterable<readonly CopiedValue[]> {
    const owner = importOwners[table];
    if (owner === 'path' && which === 'new') return [];
    const condition =
      which === 'new'
        ? `${owner} > ${this.#lastOwner(table)}`
        : `${owner} IN (SELECT owner FROM temp.${noted(table)})`;
    return this.#db
      .prepare<[], readonly CopiedValue[]>(
        `SELECT ${columnList(tables[table])} FROM ${databaseName(table)} WHERE ${condition} ORDER BY ${owner}`,
      )
      .raw()
      .iterate();
  }

  #lastOwner(table: ImportTable): number {
    return this.#greatest[table === 'sources' ? table : 'items'];
  }

  #greatestKey(table: 'sources' | 'items'): number {
    const query = `SELECT coalesce(max(key), 0) FROM ${table}`;
    return this.#db.prepare<[], number>(query).pluck().get() ?? 0;
  }

  #readInputVersion(): string | null {
    const query = 'SELECT value FROM settings WHERE name = ?';
    return this.#db.prepare<[string], string>(query).pluck().get(inputVersionName) ?? null;
  }
}
