/** Makes in the run what an import has changed in its copy. */

import type { CopiedValue, ImportDifference, ImportTable } from '../../port/import.ts';
import { columnList, databaseName, importOwners, importTables, tables } from '../../tables.ts';
import { copyLine } from '../connection/copy-lines.ts';
import { CopiedLines, type CopySession } from '../connection/copy-session.ts';
import { buildIndexes, dropIndexes, worthwhileRows } from './ingest-indexes.ts';

/** The number of the change of which the import is part, and that of the last one which its copy knows. */
interface Changes {
  readonly now: number;
  readonly known: number;
}

/** The change of an item is noted with it. */
const itemFields = [...tables.items, 'change'];

/** What a trigger keeps is not written here. */
const written = itemFields.filter((field) => field !== 'key' && field !== 'endedRound').map(databaseName);

const changedItems = `
  CREATE TEMP TABLE changed_items ON COMMIT DROP AS
    SELECT ${columnList(itemFields)} FROM items WITH NO DATA`;

/** An item that has changed since is left as it is. */
const changeItems = `
  UPDATE items m SET ${written.map((column) => `${column} = c.${column}`).join(', ')}
  FROM pg_temp.changed_items c WHERE c.key = m.key AND m.change <= $1`;

/** Owners whose rows one statement removes. */
const pageOwners = 10_000;

/**
 * Writes everything, in the transaction of the caller, who holds the run's lock and has counted the change. False where an item
 * is not as the copy knows it.
 */
export async function applyDifference(
  session: CopySession,
  difference: ImportDifference,
  changes: Changes,
  areFirst: boolean,
): Promise<boolean> {
  const isLarge = areFirst && difference.newItems >= worthwhileRows;
  if (isLarge) await session.script(dropIndexes);
  for (const table of importTables)
    if (table !== 'items') await replaceRows(session, difference, table);
    else if (!(await writeItems(session, difference, changes))) return false;
  if (isLarge) await session.script(buildIndexes);
  // A process that follows the run notices changes of status by itself, and no others.
  if (difference.isInputMoved) await session.run('UPDATE run SET input_version = input_version + 1');
  return true;
}

async function writeItems(
  session: CopySession,
  difference: ImportDifference,
  { now, known }: Changes,
): Promise<boolean> {
  const columns = columnList(itemFields);
  await copyInto(session, `items (${columns})`, difference.rows('items', 'new'), now);
  await session.script(changedItems);
  const changed = difference.rows('items', 'outdated');
  const count = await copyInto(session, `pg_temp.changed_items (${columns})`, changed, now);
  return count === 0 || (await session.run(changeItems, known)) === count;
}

/** Rows that are not as they were are removed and inserted anew. */
async function replaceRows(
  session: CopySession,
  difference: ImportDifference,
  table: Exclude<ImportTable, 'items'>,
): Promise<void> {
  const name = databaseName(table);
  const owner = importOwners[table];
  const type = owner === 'path' ? 'text' : 'int8';
  const remove = `DELETE FROM ${name} WHERE ${owner} = ANY ($1::${type}[])`;
  for (const owners of inPages(difference.outdated(table))) await session.run(remove, owners);
  const columns = `${name} (${columnList(tables[table])})`;
  await copyInto(session, columns, difference.rows(table, 'outdated'));
  await copyInto(session, columns, difference.rows(table, 'new'));
}

function* inPages<T>(all: Iterable<T>): Generator<readonly T[]> {
  let page: T[] = [];
  for (const each of all) {
    page.push(each);
    if (page.length < pageOwners) continue;
    yield page;
    page = [];
  }
  if (page.length > 0) yield page;
}

/** Returns how many rows it copied. `more` is the value of a last column. */
async function copyInto(
  session: CopySession,
  columns: string,
  rows: Iterable<readonly CopiedValue[]>,
  ...more: readonly number[]
): Promise<number> {
  const lines = new CopiedLines(session, `COPY ${columns} FROM STDIN`);
  let count = 0;
  for (const row of rows) {
    count += 1;
    const taken = lines.add(copyLine(...row, ...more));
    if (taken !== null) await taken;
  }
  await lines.end();
  return count;
}
