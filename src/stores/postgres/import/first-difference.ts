/**
 * The first rows of a run, on their way into its tables. Nobody works on a run without rows, so they are not staged: they
 * are written once, under its lock, and an import of a million is quicker by a sixth.
 */

import type { FirstRows } from '../../port/import.ts';
import { columnList, databaseName, importTables } from '../../tables.ts';
import type { CopySession } from '../connection/copy-session.ts';
import { buildIndexes, dropIndexes, worthwhileRows } from './ingest-indexes.ts';
import { copyRows, type WaitingDifference } from './staged-difference.ts';

/** A process that stops in the middle of a COPY, as a machine that sleeps, lets go of the run. */
const limitCopies = `SET LOCAL statement_timeout = '8s'`;
const limitNothing = 'SET LOCAL statement_timeout = 0';

export class FirstDifference implements WaitingDifference {
  readonly #session: CopySession;
  readonly #first: FirstRows;

  constructor(session: CopySession, first: FirstRows) {
    this.#session = session;
    this.#first = first;
  }

  get isAny(): boolean {
    return this.#first.count > 0;
  }

  /** No item is known that could have changed. */
  async replace(): Promise<void> {
    throw new Error('a run without rows has changed items');
  }

  async apply(change: number): Promise<void> {
    const [session, first] = [this.#session, this.#first];
    const isLarge = first.count >= worthwhileRows;
    if (isLarge) await session.script(dropIndexes);
    await session.script(`DELETE FROM pictures; ${limitCopies}`);
    for (const table of importTables) {
      const columns = columnList(first.fields(table));
      const rows = first.rows(table);
      if (table === 'items') await copyRows(session, `items (${columns}, change)`, rows, change);
      else await copyRows(session, `${databaseName(table)} (${columns})`, rows);
    }
    await session.script(limitNothing);
    if (isLarge) await session.script(buildIndexes);
  }
}
