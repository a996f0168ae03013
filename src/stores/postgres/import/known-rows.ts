/** What the run knows of its rows, on its way into the copy in which a file is imported. */

import type { ImportCopy, ImportTable } from '../../port/import.ts';
import { byteColumns, databaseName, importedWithItems, importTables, tables } from '../../tables.ts';
import type { CopySession } from '../connection/copy-session.ts';

/** A copy, and the run as of when it is the same: `run.change`. */
interface Known {
  readonly copy: ImportCopy;
  readonly change: number;
}

/** Files are read for the few items that are sent again: most of the rows of a run may have some. */
const isReadAtOnce = (table: ImportTable): boolean => table !== 'artifacts';

/** Takes over all rows. Returns `run.change`. The caller holds a transaction that sees the run at one moment. */
export async function takeAll(session: CopySession, copy: ImportCopy): Promise<number> {
  const change = await readChange(session);
  for (const table of importTables.filter(isReadAtOnce)) await take(session, copy, table, 'true');
  copy.taken();
  return change;
}

/** Takes over what has changed since. Returns whether any item has, and `run.change` now. The caller holds a transaction as above. */
export async function takeChanges(session: CopySession, { copy, change: since }: Known) {
  const change = await readChange(session);
  if (change === since) return { isAnyChanged: false, change };
  // A new source comes with items that use it.
  const changed = await session.rows<{ key: number }>('SELECT key FROM items WHERE change > $1', since);
  if (changed.length === 0) return { isAnyChanged: false, change };
  const keys = changed.map(({ key }) => key);
  copy.forget(keys);
  await take(session, copy, 'sources', 'true');
  await take(session, copy, 'items', isAmong('key', keys));
  for (const table of importedWithItems.filter(isReadAtOnce))
    await take(session, copy, table, isAmong('item', keys));
  copy.taken();
  return { isAnyChanged: true, change };
}

/** Takes over the files of these items. */
export async function takeFiles(
  session: CopySession,
  copy: ImportCopy,
  items: readonly number[],
): Promise<void> {
  if (items.length > 0) await take(session, copy, 'artifacts', isAmong('item', items));
}

const readChange = (session: CopySession): Promise<number> => session.count('SELECT change AS n FROM run');

/** COPY takes no parameters. */
const isAmong = (column: string, keys: readonly number[]): string => `${column} = ANY ('{${keys}}'::int8[])`;

async function take(
  session: CopySession,
  copy: ImportCopy,
  table: ImportTable,
  condition: string,
): Promise<void> {
  const fields: readonly string[] = tables[table];
  const columns = fields.map((field) => {
    const column = databaseName(field);
    return byteColumns.has(field) ? `encode(${column}, 'hex')` : column;
  });
  const query = `SELECT ${columns.join(', ')} FROM ${databaseName(table)} WHERE ${condition} ORDER BY 1`;
  for await (const rows of session.copied(`COPY (${query}) TO STDOUT`)) copy.take(table, rows);
}
