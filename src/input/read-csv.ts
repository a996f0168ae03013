/** Reads the rows of a CSV file. One of its first records names the columns. */

import { UsageError } from '../errors.ts';
import type { Lines } from '../messages/formats.ts';
import { type Message, message } from '../messages/message.ts';
import { undoDefuse } from '../text/spreadsheet-text.ts';
import { hasQuestion, mapColumns } from './columns.ts';
import { findHeader, headerRowCount } from './header-row.ts';
import { likelyHeader, nearFields } from './near-columns.ts';
import { type CsvRecord, createRecordParser, firstRecords, type RecordParser } from './read-csv-records.ts';
import type { TextBlock } from './read-encoding.ts';
import { rowMaxBytes } from './read-lines.ts';
import type { Problems } from './read-problems.ts';
import { decideFields, type FieldColumns, type RawRow, type RowPage, type RowReader } from './read-rows.ts';
import type { RowPlaces } from './row-places.ts';

/** How to read a CSV file. */
interface CsvOptions {
  /** null: detected from the header. */
  readonly delimiter: string | null;
  /** Row of the header as a spreadsheet counts rows, from 1; null: the first of ten with a question column. */
  readonly headerRow: number | null;
  readonly overrides: FieldColumns;
  readonly problems: Problems;
  readonly places: RowPlaces;
}

interface Header {
  readonly columns: readonly string[];
  readonly fields: FieldColumns;
  /** The header text of each column that is a field, by position. */
  readonly fieldNames: ReadonlyMap<number, string>;
}

/** Repairs and skipped rows, reported at the end. */
interface Tally {
  undefused: number;
  blank: number;
  /** Rows with fewer cells than the header. */
  readonly short: Places;
  /** Repeated headers. */
  readonly headers: Places;
}

/** Counts them. */
interface Places extends Lines {
  count: number;
  readonly lines: number[];
}

const candidates = [',', ';', '\t'];
/** Typed with a Chinese keyboard. The last choice, because it is in texts too. */
const fullWidthComma = '，';
/** Records searched for the header where most of them are empty. */
const searchedCount = 100;
/** How many characters are searched for the header: many times what ten thousand columns need. */
const headerMaxLength = 1024 * 1024;

/** Lines a note lists. */
const shownLines = 10;

/** The delimiter that `--delimiter` names. Throws `UsageError` for an invalid one. */
export function parseDelimiter(text: string): string {
  if (text === 'tab' || text === '\\t') return '\t';
  if ([...text].length === 1 && !/["\r\n\0]/.test(text)) return text;
  throw new UsageError(`--delimiter ${JSON.stringify(text)} is not one character; use , or ; or tab`);
}

/** The rows of a CSV file. Problems of single rows do not end it; a header without a question does. */
export function readCsv(blocks: AsyncIterable<TextBlock>, options: CsvOptions): RowReader {
  const { headerRow, problems, places } = options;
  const tally: Tally = {
    undefused: 0,
    blank: 0,
    short: { count: 0, lines: [] },
    headers: { count: 0, lines: [] },
  };
  let { delimiter } = options;
  let parser: RecordParser | null = null;
  const notes: Message[] = [];

  async function* pages(): AsyncGenerator<RowPage> {
    let header: Header | null = null;
    let endlessBytes = 0;
    /** The first records, until one of them is the header. */
    let first: CsvRecord[] = [];
    const pageOf = (records: readonly CsvRecord[], isEnd: boolean): RowPage | null => {
      let rest = records;
      for (const { line, row } of records) places.add(line, row);
      if (header === null) {
        first = [...first, ...records].filter(({ row }) => headerRow === null || row >= headerRow);
        const at = headerAt(first, options, isEnd);
        if (at === null) return null;
        header = readHeader(first, at, options);
        if (hasQuestion(header.fields)) notes.push(...renderHeaderPlace(first, at));
        rest = first.slice(at + 1);
        first = [];
      }
      const { columns, fields } = header;
      const known = header;
      if (!hasQuestion(fields)) return { rows: [], columns, fields };
      const rows = rest.map((record) => readRow(record, known, tally, problems));
      return { rows: rows.filter((row) => row !== null), columns, fields };
    };

    for await (const { text, line } of blocks) {
      delimiter ??= findDelimiter(text, options);
      parser ??= createRecordParser(delimiter, problems);
      const records = await parser.write(text, line);
      const page = records.length === 0 ? null : pageOf(records, false);
      if (page !== null) yield page;
      if (page !== null && !hasQuestion(page.fields)) return;
      if (header === null && headerRow !== null && first.length > 0) break;
      endlessBytes = records.length === 0 ? endlessBytes + text.length : 0;
      if (endlessBytes > rowMaxBytes) {
        problems.add(parser.startLine(), message('csv.endless-row'));
        return;
      }
    }
    const last = parser === null ? null : pageOf(await parser.end(), true);
    if (last !== null) yield last;
    if (header !== null || problems.count > 0) return;
    const isMissing = headerRow !== null && parser !== null;
    problems.add(null, isMissing ? message('header.row-empty', { row: headerRow }) : message('file.empty'));
  }

  return {
    pages: pages(),
    delimiter: () => delimiter,
    notes: () => [
      ...(options.delimiter === null && delimiter !== null ? [message('csv.delimiter', { delimiter })] : []),
      ...notes,
      ...renderMended(parser?.mendedLines ?? []),
      ...(tally.blank > 0 ? [message('csv.blank', { count: tally.blank })] : []),
      ...(tally.headers.count > 0 ? [message('csv.header-again', { lines: tally.headers })] : []),
      ...(tally.short.count > 0 ? [message('csv.short', { lines: tally.short })] : []),
      ...(tally.undefused > 0 ? [message('csv.apostrophes', { count: tally.undefused })] : []),
    ],
  };
}

function note(places: Places, line: number): void {
  places.count += 1;
  if (places.lines.length < shownLines) places.lines.push(line);
}

/** `the header is row 3 (line 5); 2 rows above it are not read`. */
function renderHeaderPlace(records: readonly CsvRecord[], at: number): Message[] {
  const { row = 0, line = 0 } = records[at] ?? {};
  if (row === 1 || (at === 0 && row === line)) return [];
  return [message('header.place', { row, line: row === line ? null : line, above: at })];
}

function renderMended(lines: readonly number[]): Message[] {
  if (lines.length === 0) return [];
  return [message('csv.quotes', { lines: { count: lines.length, lines: lines.slice(0, shownLines) } })];
}

/**
 * The candidate that maps most header columns to fields: in the first record, else in one below a title. Where none does,
 * the one that nearly does, for the error about it; else the comma.
 */
function findDelimiter(text: string, { overrides, headerRow }: CsvOptions): string {
  const head = text.slice(0, headerMaxLength);
  const count = headerRow ?? searchedCount;
  const tables = [...candidates, fullWidthComma].map((delimiter) => {
    const records = firstRecords(head, delimiter, count);
    return {
      delimiter,
      records: headerRow === null ? records : records.filter(({ row }) => row === headerRow),
    };
  });
  const fieldCount = (records: readonly CsvRecord[]): number => {
    const rows = filledRows(records);
    const at = findHeader(rows, overrides);
    return at === null ? 0 : Object.keys(mapColumns(rows[at]?.columns ?? [], overrides).fields).length;
  };
  const nearCount = (records: readonly CsvRecord[]): number => {
    const rows = filledRows(records).map(({ columns }) => columns);
    const columns = rows[likelyHeader(rows, overrides)] ?? [];
    const { fields } = mapColumns(columns, overrides);
    return Object.keys(fields).length + Object.keys(nearFields(columns, fields)).length;
  };
  const ordinary = tables.slice(0, -1);
  const first = ({ records, ...table }: (typeof tables)[number]) => ({
    ...table,
    records: records.slice(0, 1),
  });
  return (
    best(ordinary.map(first), fieldCount) ??
    best(ordinary, fieldCount) ??
    best(tables, fieldCount) ??
    best(tables, nearCount) ??
    ','
  );
}

/** The delimiter of the table that counts most; null where none counts anything. */
function best<T extends { readonly delimiter: string; readonly records: readonly CsvRecord[] }>(
  tables: readonly T[],
  countOf: (records: readonly CsvRecord[]) => number,
): string | null {
  let most = 0;
  let found: string | null = null;
  for (const { delimiter, records } of tables) {
    const count = countOf(records);
    if (count > most) found = delimiter;
    most = Math.max(most, count);
  }
  return found;
}

interface FilledRow {
  readonly at: number;
  readonly columns: readonly string[];
  readonly filled: number;
}

/** The first records that are not empty, as rows that may be the header. */
function filledRows(records: readonly CsvRecord[]): readonly FilledRow[] {
  const rows: FilledRow[] = [];
  for (const [at, { cells }] of records.entries()) {
    const filled = cells.filter((cell) => cell.trim() !== '').length;
    if (filled > 0) rows.push({ at, columns: columnsOf(cells), filled });
    if (rows.length === headerRowCount) break;
  }
  return rows;
}

/** The place of the header among the first records, or of the record to complain about; null where more are needed. */
function headerAt(
  records: readonly CsvRecord[],
  { overrides, headerRow }: CsvOptions,
  isEnd: boolean,
): number | null {
  if (headerRow !== null) return records[0]?.row === headerRow ? 0 : null;
  const rows = filledRows(records);
  const at = findHeader(rows, overrides);
  if (at !== null) return rows[at]?.at ?? null;
  if (!isEnd && rows.length < headerRowCount && records.length < searchedCount) return null;
  const likely = likelyHeader(
    rows.map(({ columns }) => columns),
    overrides,
  );
  return likely > 0 ? (rows[likely]?.at ?? 0) : records.length > 0 ? 0 : null;
}

/** The names in a header. Empty cells at its end are not columns; others are named by position. */
function columnsOf(cells: readonly string[]): string[] {
  const named = cells.map(headerName);
  return named
    .slice(0, named.findLastIndex((name) => name !== '') + 1)
    .map((name, at) => (name === '' ? `column ${at + 1}` : name));
}

/**
 * The text of a header cell. In concatenated files it may begin with a byte order mark, which is trimmed like white
 * space.
 */
function headerName(cell: string): string {
  return undoDefuse(cell.trim());
}

function readHeader(records: readonly CsvRecord[], at: number, { overrides, problems }: CsvOptions): Header {
  const { cells = [], line = 1 } = records[at] ?? {};
  const columns = columnsOf(cells);
  const twice = new Set(columns.filter((column, place) => columns.indexOf(column) !== place));
  for (const column of twice)
    problems.add(line, message('columns.twice', { column: JSON.stringify(column) }));
  const next = records.slice(at + 1).find((record) => record.cells.some((cell) => cell.trim() !== ''));
  const sample = next === undefined ? null : { line: next.line, input: inputOf(columns, next.cells) };
  const fields = decideFields([...new Set(columns)], overrides, { line, problems, sample });
  const fieldPlaces = Object.values(fields).map((column) => columns.indexOf(column));
  return {
    columns,
    fields,
    fieldNames: new Map(fieldPlaces.map((place) => [place, headerName(cells[place] ?? '')])),
  };
}

function inputOf(columns: readonly string[], cells: readonly string[]): RawRow['input'] {
  return Object.fromEntries(columns.map((column, at) => [column, undoDefuse(cells[at] ?? '')]));
}

/** True for the header of a second file appended to the first: it would be paid for as a question. */
function isHeaderAgain(cells: readonly string[], fieldNames: Header['fieldNames']): boolean {
  for (const [at, name] of fieldNames) if (headerName(cells[at] ?? '') !== name) return false;
  return true;
}

/** One row as column -> cell; null for empty rows, which spreadsheets leave at the end, and for repeated headers. */
function readRow(
  { cells, line }: CsvRecord,
  { columns, fieldNames }: Header,
  tally: Tally,
  problems: Problems,
): RawRow | null {
  const filled = cells.findLastIndex((cell) => cell.trim() !== '') + 1;
  if (filled === 0) {
    tally.blank += 1;
    return null;
  }
  if (isHeaderAgain(cells, fieldNames)) {
    note(tally.headers, line);
    return null;
  }
  if (filled > columns.length)
    problems.add(line, message('csv.long', { count: filled, width: columns.length }));
  if (cells.length < columns.length) note(tally.short, line);
  const read = (column: string, at: number): [string, string] => {
    const cell = cells[at] ?? '';
    const plain = undoDefuse(cell);
    if (plain !== cell) tally.undefused += 1;
    return [column, plain];
  };
  return { line, input: Object.fromEntries(columns.map(read)) };
}
