/** Reads the rows of a CSV file. One of its first records names the columns. */

import type { Lines } from '../messages/formats.ts';
import { type Message, message } from '../messages/message.ts';
import { shellOption } from '../text/shell-word.ts';
import { hasQuestion, sayTwice } from './columns/columns.ts';
import {
  columnsOf,
  filledRows,
  findHeader,
  headerName,
  headerRowCount,
  isFullHeader,
  isSeparatorRow,
  nearestHeader,
} from './columns/header-row.ts';
import { rowMaxBytes } from './encoding/read-lines.ts';
import type { TextBlock } from './encoding/read-text.ts';
import { findDelimiter, searchedCount } from './find-delimiter.ts';
import { type CsvRecord, createRecordParser, type RecordParser } from './read-csv-records.ts';
import type { Problems } from './read-problems.ts';
import {
  type DoubtfulRow,
  decideFields,
  type FieldColumns,
  type RawRow,
  type RowPage,
  type RowReader,
} from './read-rows.ts';
import type { RowPlaces } from './row-places.ts';
import { RowShapes } from './row-shapes.ts';
import { isSwallowed } from './swallowed-rows.ts';

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
  readonly width: number;
  readonly question: number;
  /** The header text of each column that is a field, by position. */
  readonly fieldNames: ReadonlyMap<number, string>;
}

/** Repairs and skipped rows, reported at the end. */
interface Tally {
  blank: number;
  /** Rows with fewer cells than the header. */
  readonly short: Places;
  /** Repeated headers. */
  readonly headers: Places;
  /** Rows with cells such as `="007"`. */
  readonly equals: Places;
}

/** Counts them. */
interface Places extends Lines {
  count: number;
  readonly lines: number[];
}

/** Lines a note lists. */
const shownLines = 10;

/** The rows of a CSV file. Problems of single rows do not end it; a header without a question does. */
export function readCsv(blocks: AsyncIterable<TextBlock>, options: CsvOptions): RowReader {
  return new CsvReader(blocks, options);
}

class CsvReader implements RowReader {
  readonly pages: AsyncIterable<RowPage>;
  readonly #options: CsvOptions;
  readonly #shapes = new RowShapes();
  readonly #tally: Tally = {
    blank: 0,
    short: { count: 0, lines: [] },
    headers: { count: 0, lines: [] },
    equals: { count: 0, lines: [] },
  };
  #delimiter: string | null;
  #parser: RecordParser | null = null;
  /** The first records, until one of them is the header. */
  #first: readonly CsvRecord[] = [];
  #header: Header | null = null;
  #headerNotes: readonly Message[] = [];

  constructor(blocks: AsyncIterable<TextBlock>, options: CsvOptions) {
    this.#options = options;
    this.#delimiter = options.delimiter;
    this.pages = this.#read(blocks);
  }

  delimiter(): string | null {
    return this.#delimiter;
  }

  notes(): Message[] {
    const [tally, delimiter] = [this.#tally, this.#delimiter];
    const isFound = this.#options.delimiter === null && delimiter !== null;
    return [
      ...(isFound ? [message('csv.delimiter', { delimiter })] : []),
      ...this.#headerNotes,
      ...renderMended(this.#parser?.mendedLines ?? []),
      ...(tally.blank > 0 ? [message('csv.blank', { count: tally.blank })] : []),
      ...(tally.headers.count > 0 ? [message('csv.header-again', { lines: tally.headers })] : []),
      ...(tally.short.count > 0 ? [message('csv.short', { lines: tally.short })] : []),
      ...(tally.equals.count > 0 ? [message('csv.equals-quotes', { lines: tally.equals })] : []),
    ];
  }

  async *#read(blocks: AsyncIterable<TextBlock>): AsyncGenerator<RowPage> {
    const { headerRow, problems } = this.#options;
    let endlessBytes = 0;
    for await (const { text, line } of blocks) {
      this.#delimiter ??= this.#findDelimiter(text);
      if (this.#delimiter === null) return;
      this.#parser ??= createRecordParser(this.#delimiter, problems);
      const records = await this.#parser.write(text, line);
      const page = records.length === 0 ? null : this.#pageOf(records, false);
      if (page !== null) yield page;
      if (page !== null && !hasQuestion(page.fields)) return;
      if (this.#header === null && headerRow !== null && this.#first.length > 0) break;
      endlessBytes = records.length === 0 ? endlessBytes + text.length : 0;
      if (endlessBytes > rowMaxBytes) {
        problems.add(this.#parser.startLine(), message('csv.endless-row'));
        return;
      }
    }
    const last = this.#parser === null ? null : this.#pageOf(await this.#parser.end(), true);
    if (last !== null) yield last;
    const misfit = this.#shapes.problem(this.#delimiter ?? '');
    if (misfit !== null) problems.add(1, misfit);
    if (this.#header !== null || problems.count > 0) return;
    const isMissing = headerRow !== null && this.#parser !== null;
    problems.add(null, isMissing ? message('header.row-empty', { row: headerRow }) : message('file.empty'));
  }

  /** Null, with a problem, where the file has another one than is searched for. */
  #findDelimiter(text: string): string | null {
    const choice = findDelimiter(text, this.#options);
    if (!('proposed' in choice)) return choice.found;
    const { proposed: delimiter, line } = choice;
    const option = shellOption('delimiter', delimiter);
    this.#options.problems.add(line, message('csv.other-delimiter', { delimiter, option }));
    return null;
  }

  /** Null until the header is found. */
  #pageOf(records: readonly CsvRecord[], isEnd: boolean): RowPage | null {
    const { places, problems } = this.#options;
    for (const { line, row } of records) places.add(line, row);
    const rest = this.#header === null ? this.#findHeader(records, isEnd) : records;
    const header = this.#header;
    if (header === null) return null;
    const { columns, fields } = header;
    if (!hasQuestion(fields)) return { rows: [], columns, fields };
    for (const record of rest) this.#refuseSwallowed(record, header);
    const rows = rest.map((record) => {
      const row = readRow(record, header, this.#tally, problems);
      if (row !== null) this.#shapes.look(record.cells, header);
      return row;
    });
    return { rows: rows.filter((row) => row !== null), columns, fields };
  }

  #refuseSwallowed({ cells, line }: CsvRecord, { columns, fields }: Header): void {
    if (!cells.some((cell) => cell.includes('\n'))) return;
    const { id = '', question = '' } = fields;
    const lines = cells.join(this.#delimiter ?? ',').split(/\r?\n/);
    const table = { delimiter: this.#delimiter ?? ',', width: columns.length };
    const places = { id: columns.indexOf(id), question: columns.indexOf(question) };
    if (isSwallowed(lines, table, places))
      this.#options.problems.add(line, message('csv.swallowed', { last: line + lines.length - 1 }));
  }

  /** Returns the records below the header; none where more are needed to find it. */
  #findHeader(records: readonly CsvRecord[], isEnd: boolean): readonly CsvRecord[] {
    const { headerRow } = this.#options;
    const first = [...this.#first, ...records].filter(
      ({ row, cells }) => row >= (headerRow ?? 0) && !(row === 1 && isSeparatorRow(cells)),
    );
    const found = headerAt(first, this.#options, isEnd);
    this.#first = found === null ? first : [];
    if (found === null) return [];
    this.#header = readHeader(first, found, this.#options);
    if (hasQuestion(this.#header.fields)) this.#headerNotes = renderHeaderPlace(first, found.at);
    return first.slice(found.at + 1);
  }
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

/** A record that is the header, or the one to complain about. */
interface FoundHeader {
  /** Its place among the first records. */
  readonly at: number;
  /** Row of a header that is not taken for it; null for none. */
  readonly doubtful: DoubtfulRow | null;
}

/** The header among the first records, or the record to complain about; null where more are needed. */
function headerAt(
  records: readonly CsvRecord[],
  { overrides, headerRow }: CsvOptions,
  isEnd: boolean,
): FoundHeader | null {
  if (headerRow !== null) return records[0]?.row === headerRow ? { at: 0, doubtful: null } : null;
  const rows = filledRows(records);
  const place = findHeader(rows, overrides);
  const isSearched = isEnd || rows.length === headerRowCount || records.length >= searchedCount;
  const found = rows[place ?? -1];
  // A title or a list that stands on its side is recognized by the rows below it.
  if (found !== undefined && (isSearched || isFullHeader(found, overrides)))
    return { at: found.at, doubtful: null };
  if (!isSearched || records.length === 0) return null;
  const { at, doubtful } = nearestHeader(rows, overrides);
  const further = filledRows(records, searchedCount).slice(headerRowCount);
  const seeming = rows[doubtful?.at ?? -1] ?? further.find((row) => isFullHeader(row, overrides));
  const row = records[seeming?.at ?? -1]?.row;
  return {
    at: at > 0 ? (rows[at]?.at ?? 0) : 0,
    doubtful: row === undefined ? null : { row, isOnSide: doubtful?.isOnSide ?? false },
  };
}

function readHeader(
  records: readonly CsvRecord[],
  { at, doubtful }: FoundHeader,
  { overrides, problems }: CsvOptions,
): Header {
  const { cells = [], line = 1 } = records[at] ?? {};
  const columns = columnsOf(cells);
  for (const said of sayTwice(columns)) problems.add(line, said);
  const next = records.slice(at + 1).find((record) => record.cells.some((cell) => cell.trim() !== ''));
  const sample = next === undefined ? null : { line: next.line, input: inputOf(columns, next.cells) };
  const fields = decideFields([...new Set(columns)], overrides, { line, problems, sample, doubtful });
  const fieldPlaces = Object.values(fields).map((column) => columns.indexOf(column));
  return {
    columns,
    fields,
    width: cells.length,
    question: columns.indexOf(fields.question ?? ''),
    fieldNames: new Map(fieldPlaces.map((place) => [place, headerName(cells[place] ?? '')])),
  };
}

function inputOf(columns: readonly string[], cells: readonly string[]): RawRow['input'] {
  return Object.fromEntries(columns.map((column, at) => [column, cells[at] ?? '']));
}

/** True for the header of a second file appended to the first: it would be paid for as a question. */
function isHeaderAgain(cells: readonly string[], fieldNames: Header['fieldNames']): boolean {
  for (const [at, name] of fieldNames) if (headerName(cells[at] ?? '') !== name) return false;
  return true;
}

/** One row as column -> cell; null for empty rows, which spreadsheets leave at the end, and for repeated headers. */
function readRow(
  { cells, asWritten, line }: CsvRecord,
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
  const row = { line, input: inputOf(columns, cells) };
  if (asWritten === undefined) return row;
  note(tally.equals, line);
  return { ...row, asWritten: inputOf(columns, asWritten) };
}
