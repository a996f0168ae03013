/**
 * The first rows of a run, on their way into its tables. Nobody works on a run without rows, so they are not staged: they
 * are written once, under its lock, and an import of a million is quicker by a sixth.
 */

import type { ImportDifference } from '../../port/import.ts';
import { columnList, databaseName, importTables, tables } from '../../tables.ts';
import type { CopySession } from '../connection/copy-session.ts';
import { buildIndexes, dropIndexes, worthwhileRows } from './ingest-indexes.ts';
import { copyRows, type WaitingDifference } from './staged-difference.ts';

/** A process that stops in the middle of a COPY, as a machine that sleeps, lets go of the run. */
const limitCopies = `SET LOCAL statement_timeout = '8s'`;
const limitNothing = 'SET LOCAL statement_timeout = 0';

export class FirstDifference implements WaitingDifference {
  readonly #session: CopySession;
  readonly #difference: ImportDifference;

  constructor(session: CopySession, difference: ImportDifference) {
    this.#session = session;
    this.#difference = difference;
  }

  get isAny(): boolean {
    return !this.#difference.isEmpty;
  }

  /** No item is known that could have changed. */
  async replace(): Promise<void> {
    throw new Error('a run without rows has changed items');
  }

  async apply(change: number): Promise<void> {
    const [session, difference] = [this.#session, this.#difference];
    const isLarge = difference.newItems >= worthwhileRows;
    if (isLarge) await session.script(dropIndexes);
    await session.script(`DELETE FROM pictures; ${limitCopies}`);
    for (const table of importTables) {
      const columns = columnList(tables[table]);
      const rows = difference.rows(table, table === 'pictures' ? 'outdated' : 'new');
      if (table === 'items') await copyRows(session, `items (${columns}, change)`, rows, change);
      else await copyRows(session, `${databaseName(table)} (${columns})`, rows);
    }
    await session.script(limitNothing);
    if (isLarge) await session.script(buildIndexes);
  }
}
