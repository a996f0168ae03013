/** The run and the staged rows, as an import asks them. */

import type { NamedValues } from '../../dialect.ts';
import { type Database, guard } from '../database.ts';
import { bound } from '../dialect.ts';

/** Statements have named parameters, as in `@offset`. */
export class Staging {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  rows<T extends object>(statement: string, parameters: NamedValues = {}): T[] {
    return guard(this.#db.name, () => this.#db.prepare<object, T>(statement).all(bound(parameters)));
  }

  /** Returns the number of rows that it wrote. */
  run(statement: string, parameters: NamedValues = {}): number {
    return guard(this.#db.name, () => this.#db.prepare<object>(statement).run(bound(parameters)).changes);
  }

  /** The number that a query selects as `n`. */
  count(statement: string, parameters: NamedValues = {}): number {
    return this.rows<{ n: number }>(statement, parameters)[0]?.n ?? 0;
  }

  /** The answer that a query selects as `found`. */
  is(statement: string, parameters: NamedValues = {}): boolean {
    return this.rows<{ found: number }>(statement, parameters)[0]?.found === 1;
  }
}
