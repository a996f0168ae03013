/** Reads the tables of a run for an archive, and writes one in place of everything saved, in one transaction. */

import { UsageError } from '../../errors.ts';
import { message } from '../../messages/message.ts';
import { loadRun, type TableReader } from '../archive.ts';
import type { ArchiveRecord, MoveMark } from '../port/archive.ts';
import { byteColumns, columnList, databaseName, type Table, tableNames, tables } from '../tables.ts';
import { copyLine } from './connection/copy-lines.ts';
import { CopiedLines, type CopySession } from './connection/copy-session.ts';

export function readerOf(session: CopySession): TableReader {
  return {
    place: 'the run',
    ownSettings: ['moved'],
    value: '$1',
    isAmong: 'item = ANY ($1)',
    digits: (column) => `encode(${column}, 'hex')`,
    inOrder: (column) => `${column} COLLATE "C"`,
    rows: <T extends object>(query: string, value?: string | number | readonly number[]) =>
      session.rows<T & Record<string, unknown>>(query, value),
  };
}

/** Why the run is loaded, and where. */
interface Load {
  readonly mark: MoveMark;
  /** The same as it is saved. */
  readonly text: string;
  /** The database, for messages. */
  readonly place: string;
}

/**
 * Settings are replaced first: the mark of an earlier move would refuse every row. Corrections before their earlier ones, to
 * which the removal adds.
 */
const removal = ['settings' as const, ...tableNames.toReversed()]
  .map((table) => `DELETE FROM ${databaseName(table)}`)
  .join('; ');

/** Limits of a round count from here; processes that follow the run read it anew. */
const beginning = `
  UPDATE run SET change = change + 1, input_version = input_version + 1, round = round + 1, submitted_rows = 0,
    bad_rows = 0, round_fact = last_fact;
  UPDATE items SET change = (SELECT change FROM run)`;

export async function loadInto(
  session: CopySession,
  records: AsyncIterable<ArchiveRecord>,
  { mark, text, place }: Load,
): Promise<void> {
  const load = async (): Promise<void> => {
    await session.rows('SELECT 1 FROM run FOR UPDATE');
    await refuseOthers(session, mark, place);
    await session.script(removal);
    const lines = new Map(tableNames.map((table) => [table, copyInto(session, table)]));
    await loadRun(records, async (table, fields) => {
      await lines.get(table)?.add(lineOf(table, fields));
    });
    for (const table of lines.values()) await table.end();
    await session.script(beginning);
    // Last: it refuses every change of a row.
    await session.run(`INSERT INTO settings (name, value) VALUES ('moved', $1)`, text);
  };
  await session.transaction('READ WRITE', load, () => true);
}

/** Throws `UsageError` where rows of another run would be replaced, or of one that continues here. */
async function refuseOthers(session: CopySession, { move }: MoveMark, place: string): Promise<void> {
  const [found] = await session.rows<{ value: string }>(`SELECT value FROM settings WHERE name = 'moved'`);
  if (found === undefined && !(await session.is('SELECT EXISTS (SELECT 1 FROM items) AS found'))) return;
  const known: MoveMark | null = found === undefined ? null : JSON.parse(found.value);
  if (known?.move === move) return;
  throw new UsageError(message('store.same-name', { name: place }));
}

function copyInto(session: CopySession, table: Table): CopiedLines {
  const columns = columnList(fieldsOf(table));
  return new CopiedLines(session, `COPY ${databaseName(table)} (${columns}) FROM STDIN`);
}

/** An item also knows whether any of its attempts had a task. */
function fieldsOf(table: Table): readonly string[] {
  return table === 'items' ? [...tables.items, 'hasTask'] : tables[table];
}

type Value = string | number | null;

function lineOf(table: Table, fields: object): string {
  const values = fields as Readonly<Record<string, Value>>;
  return copyLine(...fieldsOf(table).map((field) => storedValue(field, values[field] ?? null)));
}

function storedValue(field: string, value: Value): Value {
  return typeof value === 'string' && byteColumns.has(field) ? `\\x${value}` : value;
}
