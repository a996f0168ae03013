/**
 * The rows of a first file as they go into a run, read from where they are staged: nothing is compared, and for a run in another
 * store nothing is written into the copy before.
 */

import type { CopiedValue, FirstRows, ImportTable } from '../../port/import.ts';
import { columnList, tables } from '../../tables.ts';
import type { Database } from '../database.ts';

const itemFields = [
  ...['key', 'row', 'id', 'folder', 'identity', 'occurrence', 'content', 'inputDigest'],
  ...['source', 'status', 'quality', 'failure'],
];

/** `@source` is the key of its source; `@lastSource` the greatest one before. */
const queries: Readonly<Partial<Record<ImportTable, string>>> = {
  sources: `SELECT ${columnList(tables.sources)} FROM sources WHERE key > @lastSource`,
  items: `
    SELECT row, row, coalesce(id, folder), folder, CASE WHEN id IS NULL THEN content ELSE identity END, occurrence, content,
      input_digest, @source, CASE WHEN failure IS NULL THEN 'pending' ELSE 'invalid' END, quality, failure
    FROM temp.incoming ORDER BY row`,
  questions: 'SELECT row, input FROM temp.incoming ORDER BY row',
  pictured: 'SELECT row, written FROM temp.incoming WHERE written IS NOT NULL ORDER BY row',
  pictures: `SELECT ${columnList(tables.pictures)} FROM temp.seen_pictures`,
};

const fieldsOf = (table: ImportTable): readonly string[] => (table === 'items' ? itemFields : tables[table]);

interface SourceKeys {
  readonly source: number;
  readonly lastSource: number;
}

const insertOf = (table: ImportTable): string =>
  `INSERT INTO ${table} (${columnList(fieldsOf(table))}) ${queries[table]}`;

/** For such rows in the run itself. */
export const insertFirstItems = insertOf('items');
export const insertFirstQuestions = insertOf('questions');

/** The folders of the rows are all different, and so are their ids. */
export class StagedFirstRows implements FirstRows {
  readonly #db: Database;
  readonly #keys: SourceKeys;
  readonly count: number;

  constructor(db: Database, count: number, keys: SourceKeys) {
    this.#db = db;
    this.count = count;
    this.#keys = keys;
  }

  fields(table: ImportTable): readonly string[] {
    return fieldsOf(table);
  }

  rows(table: ImportTable): Iterable<readonly CopiedValue[]> {
    const query = queries[table];
    if (query === undefined) return [];
    return this.#db.prepare<object, readonly CopiedValue[]>(query).raw().iterate(this.#keys);
  }
}
