/** What a run in another store knows of its rows, in a temporary database in which a file is imported. */

import { isDeepStrictEqual } from 'node:util';
import type { Problem } from '../../../errors.ts';
import type { RowOutcome } from '../../../money/plan.ts';
import type {
  FirstRows,
  ImportCopy,
  ImportDifference,
  ImportTable,
  ImportTerms,
  IngestOptions,
  JoinOptions,
  Renewal,
  RowOutcomes,
} from '../../port/import.ts';
import { byteColumns, columnList, databaseName, importedWithItems, tables } from '../../tables.ts';
import { type Database, guard, openScratchDatabase } from '../database.ts';
import { bound, dialect } from '../dialect.ts';
import { createSqliteCheckpoint } from '../sqlite-checkpoint.ts';
import { StagedFirstRows } from './first-rows.ts';
import { ImportNotes } from './import-notes.ts';
import { SqliteIngest } from './ingest.ts';
import { dropItemIndexes } from './item-indexes.ts';
import { leavingItems, placesOfItems, rowOutcomes, unsettledItems } from './plan-statements.ts';
import { OutcomeBytes } from './row-outcomes.ts';

/** An empty copy. Disposing it removes it. */
export function openImportCopy(): ImportCopy {
  const db = openScratchDatabase();
  // What belongs to items is taken over as far as an import asks.
  db.pragma('foreign_keys = OFF');
  db.exec('BEGIN');
  return new SqliteImportCopy(db);
}

/** The rows of the file that are these items, in the place of all. */
const narrowed = (items: readonly number[]): string =>
  ['incoming', 'unchanged']
    .map(
      (table) => `
        ALTER TABLE temp.${table} RENAME TO every_${table};
        CREATE TEMP TABLE ${table} AS SELECT * FROM every_${table}
          WHERE item IN (SELECT value FROM json_each('[${items}]'))`,
    )
    .join(';');

/** All in one transaction that is never committed, with two places to go back to: before the match and before the import. */
class SqliteImportCopy extends SqliteIngest implements ImportCopy {
  readonly #db: Database;
  #isMatched = false;
  #isImported = false;
  /** Makes the indexes of the items, once the rows of the run are there. */
  #indexes: string;

  constructor(db: Database) {
    super(db, createSqliteCheckpoint(db));
    this.#db = db;
    this.#indexes = dropItemIndexes(db);
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
    this.#exec(this.#indexes);
    this.#indexes = '';
    this.staged.lookForKnown();
  }

  forget(items: readonly number[]): void {
    if (this.#isMatched) this.#exec('ROLLBACK TO unmatched; RELEASE unmatched');
    this.#isMatched = false;
    this.#isImported = false;
    guard(this.#db.name, () => this.staged.compareAgain(items));
    this.#drop(importedWithItems, 'item', items);
  }

  override async match(join: JoinOptions): Promise<readonly Problem[]> {
    this.#exec(this.#isMatched ? 'ROLLBACK TO unmatched' : 'SAVEPOINT unmatched');
    this.#isMatched = true;
    this.#isImported = false;
    const problems = await super.match(join);
    // Few items are asked for at a time, while the run is locked.
    if (this.isAnyKnown) this.#exec('CREATE INDEX temp.incoming_by_item ON incoming (item)');
    return problems;
  }

  async renew(
    items: readonly number[],
    options: ImportTerms,
    takeOver: () => Promise<void>,
  ): Promise<Renewal> {
    const { staging } = this.staged;
    this.#undoImport();
    if (staging.rows(unsettledItems, { items, isMended: Number(options.isMended) }).length > 0)
      return 'to match again';
    const [before, shown] = [staging.rows(placesOfItems, { items }), this.#outcomesOf(options, items)];
    this.#exec('SAVEPOINT renewed');
    let renewal: Renewal = 'to match again';
    try {
      this.#drop(['items'], 'key', items);
      this.#drop(importedWithItems, 'item', items);
      await takeOver();
      if (isDeepStrictEqual(staging.rows(placesOfItems, { items }), before))
        renewal = this.#outcomesOf(options, items).isAsShown(shown) ? 'the same' : 'sends more';
      return renewal;
    } finally {
      if (this.#db.open)
        this.#exec(renewal === 'the same' ? 'RELEASE renewed' : 'ROLLBACK TO renewed; RELEASE renewed');
    }
  }

  #drop(dropped: readonly ImportTable[], column: string, items: readonly number[]): void {
    for (const table of dropped)
      this.staged.staging.run(`DELETE FROM ${table} WHERE ${dialect.isIn(column, 'items', 'int8')}`, {
        items,
      });
  }

  outcomes(options: ImportTerms): RowOutcomes {
    return this.#outcomesOf(options, null);
  }

  #outcomesOf({ rerunChanged }: ImportTerms, items: readonly number[] | null): RowOutcomes {
    return guard(this.#db.name, () => {
      const query = this.#db.prepare<object, { row: number; outcome: RowOutcome }>(rowOutcomes);
      return new OutcomeBytes(query.iterate(bound({ rerunChanged: Number(rerunChanged), items })));
    });
  }

  sentAgain({ rerunChanged }: ImportTerms): readonly number[] {
    this.#undoImport();
    return rerunChanged ? guard(this.#db.name, () => this.rerunnable().map(({ key }) => key)) : [];
  }

  difference(options: IngestOptions, among?: readonly number[]): ImportDifference {
    this.#undoImport();
    const leaving = among === undefined ? null : this.#leavingOf(among);
    this.#exec('SAVEPOINT imported');
    this.#isImported = true;
    if (among !== undefined) this.#exec(narrowed(among));
    const notes = guard(this.#db.name, () => new ImportNotes(this.#db));
    this.applyNow(options, leaving);
    return notes;
  }

  firstRows(options: IngestOptions): FirstRows {
    if (!this.staged.areFoldersApart) {
      const all = this.difference(options);
      const rows = (table: ImportTable) => all.rows(table, table === 'pictures' ? 'outdated' : 'new');
      return { count: all.newItems, fields: (table) => tables[table], rows };
    }
    this.#undoImport();
    const lastSource = this.staged.staging.count('SELECT coalesce(max(key), 0) AS n FROM sources');
    this.#exec('SAVEPOINT imported');
    this.#isImported = true;
    const source = guard(this.#db.name, () => this.saveSource(options.source));
    return new StagedFirstRows(this.#db, this.staged.count, { source, lastSource });
  }

  #leavingOf(items: readonly number[]): number[] {
    return this.staged.staging.rows<{ key: number }>(leavingItems, { items }).map(({ key }) => key);
  }

  #undoImport(): void {
    if (this.#isImported) this.#exec('ROLLBACK TO imported; RELEASE imported');
    this.#isImported = false;
  }

  #exec(statements: string): void {
    guard(this.#db.name, () => this.#db.exec(statements));
  }

  override async [Symbol.asyncDispose](): Promise<void> {
    this.#db.close();
  }
}
