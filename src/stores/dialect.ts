/**
 * How both stores are asked: by statements that SQLite and PostgreSQL both understand, with the few words that differ.
 * Parameters are named, as in `@offset`; where PostgreSQL cannot guess a type, the statement casts.
 */

export type NamedValues = Readonly<Record<string, unknown>>;

/** A database as the statements of both stores ask it. */
export interface StoreDatabase {
  readonly dialect: StoreDialect;
  rows<T extends object>(statement: string, parameters?: NamedValues): Promise<T[]>;
}

/** What a statement says differently in each database. */
export interface StoreDialect {
  /** The value is in the list that the parameter names. */
  isIn(value: string, list: string, type: 'text' | 'int8'): string;
  /** The same, or there is no list. */
  isAmong(value: string, list: string, type: 'text' | 'int8'): string;
  /** The row of `items` counts: it is in the input, or may have had a task, so that no charged point is left out. */
  readonly isShown: string;
  /** The column with the question, in the source `s` of a row. */
  readonly questionColumn: string;
  /** The length of a text in a row as it was read; 0 where it has none. */
  textLength(input: string, column: string): string;
}
