/**
 * The import of a file, as far as it is the same in both stores: which row is which, and what the import would do. The
 * rule stands once, in statements that SQLite and PostgreSQL both understand, and runs where the rows of the run are: in
 * the database itself, so that nothing is handed over, and an import sees the run at one moment. A store brings:
 *
 * - the temporary tables `incoming` (rows to compare), `unchanged` (rows that are the same in the run), `twins` and
 *   `corrected`, filled as is quickest for it, and a way to ask (`Staging`);
 * - the few words that differ between the two (`Dialect`).
 */

import type { NamedValues, StoreDatabase, StoreDialect } from '../../dialect.ts';

/** A database with staged rows. */
export interface Staging extends StoreDatabase {
  readonly dialect: Dialect;
  /** Returns the number of rows that it wrote. */
  run(statement: string, parameters?: NamedValues): Promise<number>;
}

/** What a statement about staged rows says differently in each database. */
export interface Dialect extends StoreDialect {
  /** The staged rows' table with their texts (`row`, `input`). */
  readonly inputs: string;
  /** The item `m` is neither ticked off nor matched to a row of the file. */
  readonly isNotInFile: string;
  /** What else every change of an item sets, after a comma. */
  readonly change: string;
}

/** The number that a query selects as `n`. */
export async function countOf(
  staging: Staging,
  statement: string,
  parameters: NamedValues = {},
): Promise<number> {
  return (await staging.rows<{ n: number }>(statement, parameters))[0]?.n ?? 0;
}

/** The answer that a query selects as `found`: SQLite has numbers for it. */
export async function isFound(staging: Staging, statement: string): Promise<boolean> {
  const [row] = await staging.rows<{ found: boolean | number }>(statement);
  return row !== undefined && Boolean(row.found);
}
