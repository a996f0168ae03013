/** What the run knows of its rows, on its way into the copy in which a file is imported. */

import { sqlList } from '../../../money/statuses.ts';
import type { ImportCopy, ImportTable, ImportTerms } from '../../port/import.ts';
import { byteColumns, databaseName, importedWithItems, importTables, tables } from '../../tables.ts';
import type { CopySession } from '../connection/copy-session.ts';

/** A copy, and the `run.change` at which it was the same as the run. */
interface Known {
  readonly copy: ImportCopy;
  readonly change: number;
}

/** Files are read for the few items that are sent again: most of the rows of a run may have some. */
const isReadAtOnce = (table: ImportTable): boolean => table !== 'artifacts';

/** Takes over all rows. Returns `run.change`. The caller has begun a transaction that sees the run at one moment. */
export async function applyAll(session: CopySession, copy: ImportCopy): Promise<number> {
  const change = await readChange(session);
  for (const table of importTables.filter(isReadAtOnce)) await take(session, copy, table, 'true');
  copy.taken();
  return change;
}

/** Takes over what has changed since, for a new match. Returns `run.change` now. The caller has begun such a transaction. */
export async function applyChanges(session: CopySession, known: Known): Promise<number> {
  const { copy } = known;
  const { change, items } = await changedSince(session, known);
  if (items.length === 0) return change;
  copy.forget(items);
  // A new source comes with items that use it.
  await take(session, copy, 'sources', 'true');
  await applyItems(session, copy, items, importedWithItems.filter(isReadAtOnce));
  copy.taken();
  return change;
}

/**
 * Takes over the items that have changed since, as far as the match stands. Returns what became of it, which items, and
 * `run.change` now. The caller has begun such a transaction.
 */
export async function renewItems(session: CopySession, known: Known, terms: ImportTerms) {
  const { copy } = known;
  const { change, items } = await changedSince(session, known);
  if (items.length === 0) return { renewal: 'the same' as const, items, change };
  const takeOver = () => applyItems(session, copy, items, importedWithItems);
  return { renewal: await copy.renew(items, terms, takeOver), items, change };
}

async function changedSince(session: CopySession, { change: since }: Known) {
  const change = await readChange(session);
  const query = 'SELECT key FROM items WHERE change > $1';
  const changed = change === since ? [] : await session.rows<{ key: number }>(query, since);
  return { change, items: changed.map(({ key }) => key) };
}

async function applyItems(
  session: CopySession,
  copy: ImportCopy,
  items: readonly number[],
  belonging: readonly ImportTable[],
): Promise<void> {
  await take(session, copy, 'items', isAmong('key', items));
  for (const table of belonging) await take(session, copy, table, isAmong('item', items));
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
export async function applyFiles(
  session: CopySession,
  copy: ImportCopy,
  items: readonly number[],
): Promise<void> {
  if (items.length > 0) await take(session, copy, 'artifacts', isAmong('item', items));
}

const readChange = (session: CopySession): Promise<number> => session.count('SELECT change AS n FROM run');

const isAnyFinalKept = `SELECT to_regclass('finals') IS NOT NULL AS found`;

/** COPY takes no parameters. */
const isAmong = (column: string, keys: readonly number[]): string => `${column} = ANY ('{${keys}}'::int8[])`;

async function take(
  session: CopySession,
  copy: ImportCopy,
  table: ImportTable,
  condition: string,
): Promise<void> {
  // A run of an earlier version, which is only looked at, may have none.
  if (table === 'finals' && !(await session.is(isAnyFinalKept))) return;
  const fields: readonly string[] = tables[table];
  const columns = fields.map((field) => {
    const column = databaseName(field);
    return byteColumns.has(field) ? `encode(${column}, 'hex')` : column;
  });
  const query = `SELECT ${columns.join(', ')} FROM ${databaseName(table)} WHERE ${condition} ORDER BY 1`;
  for await (const rows of session.copied(`COPY (${query}) TO STDOUT`)) copy.take(table, rows);
}
