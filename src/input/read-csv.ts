/** Reads the rows of a CSV file, whose first record names the columns. */

import { mapColumns } from '../core/columns.ts';
import { undoDefuse } from '../core/text/spreadsheet-text.ts';
import { UsageError } from '../errors.ts';
import { type CsvRecord, createRecordParser, firstRecord, type RecordParser } from './read-csv-records.ts';
import type { TextBlock } from './read-encoding.ts';
import { rowMaxBytes } from './read-lines.ts';
import type { Problems } from './read-problems.ts';
import {
  counted,
  decideFields,
  type FieldColumns,
  hasQuestion,
  type RawRow,
  type RowPage,
  type RowReader,
} from './read-rows.ts';

/** How to read a CSV file. */
interface CsvOptions {
  /** null: detected from the header. */
  readonly delimiter: string | null;
  readonly overrides: FieldColumns;
  readonly problems: Problems;
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

/** How often something occurred, and the lines to name. */
interface Places {
  count: number;
  readonly lines: number[];
}

const candidates = [',', ';', '\t'];
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
  const { overrides, problems } = options;
  const tally: Tally = {
    undefused: 0,
    blank: 0,
    short: { count: 0, lines: [] },
    headers: { count: 0, lines: [] },
  };
  let { delimiter } = options;

  async function* pages(): AsyncGenerator<RowPage> {
    let parser: RecordParser | null = null;
    let header: Header | null = null;
    let endlessBytes = 0;
    const pageOf = (records: readonly CsvRecord[]): RowPage | null => {
      const first = records[0];
      if (first === undefined) return null;
      const rest = header === null ? records.slice(1) : records;
      const known = header ?? readHeader(first, overrides, problems);
      header = known;
      const rows = rest.map((record) => readRow(record, known, tally, problems));
      const { columns, fields } = known;
      return { rows: rows.filter((row) => row !== null), columns, fields };
    };

    for await (const { text } of blocks) {
      delimiter ??= findDelimiter(text, overrides);
      parser ??= createRecordParser(delimiter, problems);
      const page = pageOf(await parser.write(text));
      if (page !== null) yield page;
      if (page !== null && !hasQuestion(page.fields)) return;
      endlessBytes = page === null ? endlessBytes + text.length : 0;
      if (endlessBytes > rowMaxBytes) {
        problems.add(parser.startLine(), 'a row starting here is longer than 64 MB; is a quote missing?');
        return;
      }
    }
    const last = parser === null ? null : pageOf(await parser.end());
    if (last !== null) yield last;
    if (header === null && problems.count === 0) problems.add(null, 'the file is empty');
  }

  return {
    pages: pages(),
    delimiter: () => delimiter,
    notes: () => [
      ...(options.delimiter === null && delimiter !== null
        ? [`cells are separated by ${delimiterName(delimiter)}`]
        : []),
      ...(tally.blank > 0 ? [`${counted(tally.blank, 'blank row')} skipped`] : []),
      ...(tally.headers.count > 0
        ? [`the header is repeated on ${renderLines(tally.headers)}: skipped`]
        : []),
      ...(tally.short.count > 0
        ? [
            `${counted(tally.short.count, 'row')} with fewer cells than the header (${renderLines(tally.short)}): missing cells are read as empty`,
          ]
        : []),
      ...(tally.undefused > 0
        ? [`a spreadsheet's leading ' was removed from ${counted(tally.undefused, 'cell')}`]
        : []),
    ],
  };
}

function note(places: Places, line: number): void {
  places.count += 1;
  if (places.lines.length < shownLines) places.lines.push(line);
}

function renderLines({ count, lines }: Places): string {
  const more = count > lines.length ? ` and ${count - lines.length} more` : '';
  return `line${count === 1 ? '' : 's'} ${lines.join(', ')}${more}`;
}

function delimiterName(delimiter: string): string {
  return { ',': 'commas', ';': 'semicolons', '\t': 'tabs' }[delimiter] ?? delimiter;
}

/** The candidate that maps most header columns to fields; the comma where none does. */
function findDelimiter(text: string, overrides: FieldColumns): string {
  const fieldCount = (delimiter: string): number => {
    const cells = firstRecord(text.slice(0, headerMaxLength), delimiter) ?? [];
    const { fields } = mapColumns(columnsOf(cells), overrides);
    return hasQuestion(fields) ? Object.keys(fields).length : 0;
  };
  return candidates.reduce((best, each) => (fieldCount(each) > fieldCount(best) ? each : best));
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

function readHeader({ cells, line }: CsvRecord, overrides: FieldColumns, problems: Problems): Header {
  const columns = columnsOf(cells);
  const twice = new Set(columns.filter((column, at) => columns.indexOf(column) !== at));
  for (const column of twice)
    problems.add(line, `the header ${JSON.stringify(column)} appears twice; rename one of the columns`);
  const fields = decideFields([...new Set(columns)], overrides, { line, problems });
  const places = Object.values(fields).map((column) => columns.indexOf(column));
  return { columns, fields, fieldNames: new Map(places.map((at) => [at, headerName(cells[at] ?? '')])) };
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
    problems.add(
      line,
      `${counted(filled, 'cell')} where the header has ${columns.length}; put cells that contain the delimiter in quotes`,
    );
  if (cells.length < columns.length) note(tally.short, line);
  const read = (column: string, at: number): [string, string] => {
    const cell = cells[at] ?? '';
    const plain = undoDefuse(cell);
    if (plain !== cell) tally.undefused += 1;
    return [column, plain];
  };
  return { line, input: Object.fromEntries(columns.map(read)) };
}
