/** What the run knows of its rows, on its way into the copy in which a file is imported. */

import { sqlList } from '../../../money/statuses.ts';
import type { ImportCopy, ImportTable, ImportTerms } from '../../port/import.ts';
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

/** Takes over what has changed since, for a new match. Returns `run.change` now. The caller holds a transaction as above. */
export async function takeChanges(session: CopySession, { copy, change: since }: Known): Promise<number> {
  const change = await readChange(session);
  if (change === since) return change;
  // A new source comes with items that use it.
  const keys = await changedSince(session, since);
  if (keys.length === 0) return change;
  copy.forget(keys);
  await take(session, copy, 'sources', 'true');
  await take(session, copy, 'items', isAmong('key', keys));
  for (const table of importedWithItems.filter(isReadAtOnce))
    await take(session, copy, table, isAmong('item', keys));
  copy.taken();
  return change;
}

/**
 * Takes over the items that have changed since, as far as the match stands. Returns what became of it, which items, and
 * `run.change` now. The caller holds a transaction as above.
 */
export async function renewItems(session: CopySession, { copy, change: since }: Known, terms: ImportTerms) {
  const change = await readChange(session);
  const items = change === since ? [] : await changedSince(session, since);
  if (items.length === 0) return { renewal: 'the same' as const, items, change };
  const renewal = await copy.renew(items, terms, async () => {
    await take(session, copy, 'items', isAmong('key', items));
    for (const table of importedWithItems) await take(session, copy, table, isAmong('item', items));
  });
  return { renewal, items, change };
}

async function changedSince(session: CopySession, change: number): Promise<readonly number[]> {
  const changed = await session.rows<{ key: number }>('SELECT key FROM items WHERE change > $1', change);
  return changed.map(({ key }) => key);
}

const corrections = `
  SELECT jsonb_build_array(item, question, answer, of_question, of_answer)::text AS name FROM (
    SELECT c.* FROM corrections c JOIN items i ON i.key = c.item
    WHERE i.status IN ${sqlList('waiting')} OR i.attempt >= c.since
    UNION ALL SELECT item, question, answer, of_question, of_answer, since FROM earlier_corrections
  ) sent`;

/** Names the corrected texts that were sent, or are sent next (`sentCorrection` of the core). */
export async function sentCorrections(session: CopySession): Promise<ReadonlySet<string>> {
  return new Set((await session.rows<{ name: string }>(corrections)).map(({ name }) => name));
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
