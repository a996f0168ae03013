/**
 * What an import has changed in its copy, on its way into the run: copied into temporary tables, for as long as that takes,
 * and made in the run by a few statements under its lock.
 */

import type { CopiedValue, ImportDifference, ImportTable } from '../../port/import.ts';
import {
  columnList,
  databaseName,
  importedWithItems,
  importOwners,
  importTables,
  tables,
} from '../../tables.ts';
import { copyLine } from '../connection/copy-lines.ts';
import { CopiedLines, type CopySession } from '../connection/copy-session.ts';

/** What a trigger keeps is not written here. */
const written = tables.items.filter((field) => field !== 'key' && field !== 'endedRound').map(databaseName);

/** Rows to insert, and owners whose rows are removed before; of items those to change. */
const coming = (table: ImportTable): string => `pg_temp.coming_${databaseName(table)}`;
const outdated = (table: ImportTable): string => `pg_temp.outdated_${databaseName(table)}`;

const createTables = importTables
  .map((table) => {
    const like = `SELECT ${columnList(tables[table])} FROM ${databaseName(table)} WITH NO DATA`;
    const old =
      table === 'items'
        ? like
        : `SELECT ${importOwners[table]} AS owner FROM ${databaseName(table)} WITH NO DATA`;
    return `DROP TABLE IF EXISTS ${coming(table)}, ${outdated(table)};
      CREATE TEMP TABLE ${coming(table)} AS ${like}; CREATE TEMP TABLE ${outdated(table)} AS ${old}`;
  })
  .join(';');

const changeItems = `
  UPDATE items m SET change = $1, ${written.map((column) => `${column} = c.${column}`).join(', ')}
  FROM ${outdated('items')} c WHERE c.key = m.key`;

/** What waits to be written under the lock of the run. */
export interface WaitingDifference {
  /** False where the run stays unchanged. */
  readonly isAny: boolean;
  /** Copies what becomes of these items, in place of what was copied for them before. */
  replace(items: readonly number[], difference: ImportDifference): Promise<void>;
  /** Writes everything, in the transaction of the caller, who has locked the run and counted the change. */
  apply(change: number): Promise<void>;
}

export class StagedDifference implements WaitingDifference {
  readonly #session: CopySession;
  #isInputMoved = false;
  isAny = false;

  private constructor(session: CopySession) {
    this.#session = session;
  }

  /** Copies all. The caller has locked nothing. */
  static async copy(session: CopySession, difference: ImportDifference): Promise<StagedDifference> {
    const staged = new StagedDifference(session);
    await session.script(createTables);
    await staged.#copyIn(difference, importTables);
    await session.script(
      importTables.map((table) => `ANALYZE ${coming(table)}, ${outdated(table)}`).join(';'),
    );
    return staged;
  }

  async replace(items: readonly number[], difference: ImportDifference): Promise<void> {
    // Items have no new rows among these.
    const old = [[outdated('items'), 'key']];
    for (const table of importedWithItems) old.push([coming(table), 'item'], [outdated(table), 'owner']);
    for (const [place, column] of old)
      await this.#session.run(`DELETE FROM ${place} WHERE ${column} = ANY ($1::int8[])`, items);
    await this.#copyIn(difference, ['items', ...importedWithItems]);
  }

  async #copyIn(difference: ImportDifference, copied: readonly ImportTable[]): Promise<void> {
    this.#isInputMoved ||= difference.isInputMoved;
    this.isAny ||= !difference.isEmpty;
    for (const table of copied) {
      const columns = `(${columnList(tables[table])})`;
      await copyRows(this.#session, `${coming(table)} ${columns}`, difference.rows(table, 'new'));
      const changed = difference.rows(table, 'outdated');
      await copyRows(this.#session, `${(table === 'items' ? outdated : coming)(table)} ${columns}`, changed);
      if (table === 'items') continue;
      await copyRows(this.#session, `${outdated(table)} (owner)`, alone(difference.outdated(table)));
    }
  }

  async apply(change: number): Promise<void> {
    const session = this.#session;
    for (const table of importTables) {
      const [name, columns, owner] = [databaseName(table), columnList(tables[table]), importOwners[table]];
      if (table === 'items') {
        await session.run(
          `INSERT INTO items (${columns}, change) SELECT ${columns}, $1 FROM ${coming(table)}`,
          change,
        );
        await session.run(changeItems, change);
        continue;
      }
      await session.run(`DELETE FROM ${name} r USING ${outdated(table)} o WHERE o.owner = r.${owner}`);
      await session.run(`INSERT INTO ${name} (${columns}) SELECT ${columns} FROM ${coming(table)}`);
    }
    // A process that follows the run notices changes of status by itself, and no others.
    if (this.#isInputMoved) await session.run('UPDATE run SET input_version = input_version + 1');
  }
}

/** Values as rows of one. */
function* alone(values: Iterable<CopiedValue>): Generator<readonly CopiedValue[]> {
  for (const value of values) yield [value];
}

/** Copies rows into a table, named with its columns. `more` are the values of last columns. */
export async function copyRows(
  session: CopySession,
  place: string,
  rows: Iterable<readonly CopiedValue[]>,
  ...more: readonly number[]
): Promise<void> {
  const lines = new CopiedLines(session, `COPY ${place} FROM STDIN`);
  for (const row of rows) {
    const taken = lines.add(copyLine(...row, ...more));
    if (taken !== null) await taken;
  }
  await lines.end();
}
