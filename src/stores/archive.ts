/** The whole run as records, read from and written to the tables of any store. */

import { CheckpointError } from '../errors.ts';
import { message } from '../messages/message.ts';
import type { Correction, ReviewMark } from '../money/review.ts';
import {
  type ArchivedAttempt,
  type ArchivedEdit,
  type ArchivedFinal,
  type ArchivedHookCall,
  type ArchivedRow,
  type ArchiveRecord,
  archiveVersion,
} from './port/archive.ts';
import {
  type ArtifactRow,
  byteColumns,
  databaseName,
  type EarlierCorrectionRow,
  type EarlierInputRow,
  groupByItem,
  type ItemRow,
  type Owned,
  readPlain,
  selectList,
  type Table,
  tables,
  withoutItem,
} from './tables.ts';

/** Rows read at a time. */
const pageRows = 500;

/** Reads the tables of one store as of one moment. */
export interface TableReader {
  /** The database, for messages. */
  readonly place: string;
  /** Settings of this store alone, which do not belong to the run. */
  readonly ownSettings: readonly string[];
  /** The one parameter of a query, as a value and as the keys among which an item is. */
  readonly value: string;
  readonly isAmong: string;
  /** Bytes as their digits, and texts in the order of their bytes. */
  digits(column: string): string;
  inOrder(column: string): string;
  rows<T extends object>(query: string, value?: string | number | readonly number[]): Promise<readonly T[]>;
}

/** Writes rows of a table; fields that it has no column for are left out. */
export type WriteRow = (table: Table, fields: object) => void | Promise<void>;

/** Children come in the order of their numbers. */
const orderOf: Partial<Record<Table, string>> = {
  attempts: 'attempt',
  hookCalls: 'attempt',
  earlierInputs: 'attempt',
  earlierCorrections: 'attempt',
  artifacts: 'ordinal',
};

export async function* dumpRun(reader: TableReader): AsyncGenerator<ArchiveRecord> {
  yield { type: 'head', version: archiveVersion };
  for await (const setting of allOf<Recorded<'setting'>>(reader, 'settings', 'name', ''))
    if (!reader.ownSettings.includes(setting.name)) yield { type: 'setting', ...setting };
  for await (const source of allOf<Recorded<'source'>>(reader, 'sources', 'key', -1))
    yield { type: 'source', ...source };
  let rows = 0;
  for await (const page of pagesOf<SavedRow>(reader, 'items', 'key', -1))
    for (const row of await archivedRows(reader, page)) {
      rows += 1;
      yield row;
    }
  for await (const picture of allOf<Recorded<'picture'>>(reader, 'pictures', 'path', ''))
    yield { type: 'picture', ...picture };
  for await (const seen of allOf<Recorded<'inspection'>>(reader, 'inspections', 'sha256', ''))
    yield { type: 'inspection', ...seen };
  for await (const decision of allOf<Recorded<'decision'>>(reader, 'decisions', 'number', 0))
    yield { type: 'decision', ...decision };
  yield { type: 'end', rows };
}

type Recorded<Type> = Omit<Extract<ArchiveRecord, { type: Type }>, 'type'>;

async function* allOf<T extends object>(
  reader: TableReader,
  table: Table,
  key: keyof T & string,
  first: string | number,
): AsyncGenerator<T> {
  for await (const page of pagesOf<T>(reader, table, key, first)) yield* page;
}

/** All rows of a table in the order of a key, of which every value is greater than `first`. */
async function* pagesOf<T extends object>(
  reader: TableReader,
  table: Table,
  key: keyof T & string,
  first: string | number,
): AsyncGenerator<readonly T[]> {
  const column = typeof first === 'string' ? reader.inOrder(key) : key;
  const query = `
    SELECT ${columnsOf(reader, table)} FROM ${databaseName(table)} WHERE ${column} > ${reader.value}
    ORDER BY ${column} LIMIT ${pageRows}`;
  for (let last = first; ; ) {
    const page = await reader.rows<T>(query, last);
    yield page;
    const end = page.at(-1);
    if (end === undefined || page.length < pageRows) return;
    last = end[key] as string | number;
  }
}

function columnsOf(reader: TableReader, table: Table): string {
  return selectList(tables[table], (column, field) =>
    byteColumns.has(field) ? reader.digits(column) : readPlain(column),
  );
}

type SavedRow = ItemRow &
  Pick<ArchivedRow, 'identity' | 'occurrence' | 'content' | 'inputDigest' | 'source' | 'gone' | 'endedRound'>;

/** The rows with all that belongs to them. */
async function archivedRows(reader: TableReader, page: readonly SavedRow[]): Promise<readonly ArchivedRow[]> {
  const keys = page.map(({ key }) => key);
  const among = async <T extends object>(
    table: Table,
  ): Promise<(key: number) => readonly Omit<Owned<T>, 'item'>[]> => {
    const order = ['item', orderOf[table] ?? 'item'].join(', ');
    const query = `SELECT ${columnsOf(reader, table)} FROM ${databaseName(table)} WHERE ${reader.isAmong} ORDER BY ${order}`;
    const found = groupByItem(await reader.rows<Owned<T>>(query, keys));
    return (key) => (found.get(key) ?? []).map(withoutItem<Owned<T>>);
  };
  const inputs = await among<{ readonly input: string }>('questions');
  const written = await among<{ readonly written: string }>('pictured');
  const edits = await among<ArchivedEdit>('edits');
  const attempts = await among<ArchivedAttempt>('attempts');
  const artifacts = await among<Omit<ArtifactRow, 'item'>>('artifacts');
  const hooks = await among<ArchivedHookCall>('hookCalls');
  const marks = await among<ReviewMark>('marks');
  const earlierInputs = await among<Omit<EarlierInputRow, 'item'>>('earlierInputs');
  const earlierCorrections = await among<Omit<EarlierCorrectionRow, 'item'>>('earlierCorrections');
  const corrections = await among<Correction>('corrections');
  const preferences = await among<{ readonly attempt: number }>('preferences');
  const orders = await among<{ readonly round: number }>('orders');
  const finals = await among<ArchivedFinal>('finals');
  return page.map((row) => {
    const { identity, occurrence, content, inputDigest, source, gone, endedRound, ...item } = row;
    const { key } = item;
    const input = inputs(key)[0]?.input;
    if (input === undefined)
      throw new CheckpointError(message('store.lost-question', { path: reader.place, id: item.id }));
    return {
      type: 'row',
      item: { ...item, artifacts: artifacts(key).toSorted(byPlace) },
      identity,
      occurrence,
      content,
      inputDigest,
      source,
      gone,
      endedRound,
      input,
      written: written(key)[0]?.written ?? null,
      edit: edits(key)[0] ?? null,
      attempts: attempts(key),
      hooks: hooks(key),
      marks: marks(key).toSorted((a, b) => compareTexts(a.reviewer, b.reviewer)),
      earlierInputs: earlierInputs(key),
      earlierCorrections: earlierCorrections(key),
      correction: corrections(key)[0] ?? null,
      preferred: preferences(key)[0]?.attempt ?? null,
      ordered: orders(key)[0]?.round ?? null,
      final: finals(key)[0] ?? null,
    };
  });
}

type Place = Pick<ArtifactRow, 'ordinal' | 'kind'>;

function byPlace(a: Place, b: Place): number {
  return a.ordinal - b.ordinal || compareTexts(a.kind, b.kind);
}

/** The same in every store. */
function compareTexts(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

/** Writes an archive table by table. Throws for one of another version, or one without its end. */
export async function loadRun(records: AsyncIterable<ArchiveRecord>, write: WriteRow): Promise<void> {
  let rows = 0;
  let isWhole = false;
  for await (const record of records)
    switch (record.type) {
      case 'head':
        if (record.version !== archiveVersion) throw new Error(`an archive of version ${record.version}`);
        break;
      case 'row':
        rows += 1;
        await writeRow(record, write);
        break;
      case 'end':
        isWhole = record.rows === rows;
        break;
      default:
        await write(`${record.type}s`, record);
    }
  if (!isWhole) throw new Error('an archive without its end');
}

async function writeRow(record: ArchivedRow, write: WriteRow): Promise<void> {
  const { item, input, written, edit, correction, preferred, ordered, final } = record;
  const writeOwned = async (table: Table, ...owned: readonly object[]): Promise<void> => {
    for (const fields of owned) await write(table, { item: item.key, ...fields });
  };
  const hasTask = Number(record.attempts.some(({ taskId }) => taskId !== null));
  await write('items', { ...record, ...item, hasTask });
  await writeOwned('questions', { input });
  if (written !== null) await writeOwned('pictured', { written });
  if (edit !== null) await writeOwned('edits', edit);
  await writeOwned('attempts', ...record.attempts);
  await writeOwned('artifacts', ...item.artifacts);
  await writeOwned('hookCalls', ...record.hooks);
  await writeOwned('marks', ...record.marks);
  await writeOwned('earlierInputs', ...record.earlierInputs);
  await writeOwned('earlierCorrections', ...record.earlierCorrections);
  if (correction !== null) await writeOwned('corrections', correction);
  if (preferred !== null) await writeOwned('preferences', { attempt: preferred });
  if (ordered !== null) await writeOwned('orders', { round: ordered });
  if (final !== null) await writeOwned('finals', final);
}
