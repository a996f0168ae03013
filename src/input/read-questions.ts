/**
 * Reads an input file into rows that can be submitted. The file is read once, front to back, a page at a time, so
 * standard input and files of any size work. A row that cannot be sent says why; a file that cannot be read as a whole
 * fails with all its problems.
 */

import { InputError, type Problem, problemOf } from '../errors.ts';
import type { PlaceOf } from '../messages/input.ts';
import { inBoth, type Message, message } from '../messages/message.ts';
import type { Field, ImageCounts, IncomingRow, Source } from '../money/question.ts';
import type { HtmlMode } from '../text/cell-kinds.ts';
import { Apostrophes } from './apostrophes.ts';
import { renderColumns } from './columns/column-notes.ts';
import { KeyColumn, withoutColumn } from './columns/key-column.ts';
import { furtherPictures } from './columns/numbered-pictures.ts';
import { endsInFailures } from './columns/own-columns.ts';
import { ColumnDoubts } from './doubts/column-doubts.ts';
import { isOtherHeader } from './doubts/other-table.ts';
import { readText } from './encoding/read-text.ts';
import { parseDelimiter } from './find-delimiter.ts';
import { findFormat, formatOfName, peek } from './find-format.ts';
import type { HtmlLibrary } from './html-library.ts';
import { IncomingRows, type RowChecks } from './incoming-rows.ts';
import { ankiHeadOf, otherTextIn } from './other-texts.ts';
import { readCsv } from './read-csv.ts';
import { createHtmlRows, type HtmlRows } from './read-html.ts';
import { readJsonl } from './read-jsonl.ts';
import type { Problems } from './read-problems.ts';
import { createProblems } from './read-problems.ts';
import type { FieldColumns, RowPage, RowReader } from './read-rows.ts';
import { createRowPlaces } from './row-places.ts';

/** How to read a file; null means detect. */
export interface ReadOptions extends RowChecks {
  /** Name for messages; `-` for standard input. */
  readonly file: string;
  /** Absolute folder that relative image paths start from. */
  readonly folder: string;
  readonly format: Source['format'] | null;
  /** One character, or `tab`. */
  readonly delimiter: string | null;
  /** Row of the header in a CSV file, from 1; null: found among the first ten. */
  readonly headerRow?: number | null;
  /** Any label that `TextDecoder` knows. */
  readonly encoding: string | null;
  /** Field -> column; overrides the headers. */
  readonly columns: Readonly<Partial<Record<Field, string>>>;
  /** A column that is left out where it is no field: the one that `failed.csv` has besides those of the input. */
  readonly leftOut?: string | null;
  /** The column of keys in a table that the run wrote; without it a column is one where a cell is a key. */
  readonly keyColumn?: string | null;
  /** True for the header of a table that the run wrote; without it one is known by its keys, or by failures at its end. */
  readonly isOwn?: (header: readonly string[]) => boolean;
  /**
   * How cells of HTML are read: as text, or as they are. With either, a row that the run has read the other way is
   * still that row. Null: as they are.
   */
  readonly html?: { readonly mode: HtmlMode; readonly library: HtmlLibrary } | null;
}

/** A file that is a table by itself, not text. */
export interface TableFile {
  readonly format: 'xlsx' | 'parquet';
  open(overrides: FieldColumns, problems: Problems): RowReader;
}

/** What was detected in a file. */
export interface FoundFile {
  /** null where the format settles it. */
  readonly encoding: string | null;
  readonly format: Source['format'];
  readonly delimiter: string | null;
  /** Data rows. */
  readonly rows: number;
  readonly images: ImageCounts;
  /** Rows that look odd, held back or not. */
  readonly odd: number;
  /** One sentence for each guess and each repair. */
  readonly notes: readonly Message[];
}

/** An input file being read. `rows` can be iterated once; the rest is valid when it has ended. */
export interface QuestionFile {
  /** The rows in pages, in file order. Ends by throwing `InputError` when the file cannot be used. */
  readonly rows: AsyncIterable<readonly IncomingRow[]>;
  source(): Source;
  /** All columns of the file, those that are left out included. */
  header(): readonly string[];
  /** True once a row had a key of the program's in its column `batch`. */
  isKeyed(): boolean;
  found(): FoundFile;
  /** The problem with the row in a spreadsheet, where that is not its line. Any time. */
  placed(problem: Problem): Problem;
  /** Where other problems find the row. */
  placeOf: PlaceOf;
}

/** Reads the questions of a file. Throws `UsageError` at once for an invalid delimiter. */
export function readQuestions(
  content: AsyncIterable<Uint8Array> | TableFile,
  options: ReadOptions,
): QuestionFile {
  return new QuestionReader(content, options);
}

class QuestionReader implements QuestionFile {
  readonly rows = { [Symbol.asyncIterator]: () => this.#read() };
  readonly #options: ReadOptions;
  readonly #problems = createProblems();
  readonly #places = createRowPlaces();
  readonly #delimiter: string | null;
  readonly #table: TableFile | null;
  readonly #text: ReturnType<typeof readText> | null;
  readonly #html: HtmlRows | null;
  readonly #keyColumn: KeyColumn;
  readonly #apostrophes = new Apostrophes();
  readonly #columnDoubts: ColumnDoubts;
  readonly #incoming: IncomingRows;
  #reader: RowReader | null = null;
  /** As far as the file is read. */
  #source: Source;
  #header: readonly string[] = [];
  /** The name of the file speaks for another format. */
  #isFormatFound = false;

  constructor(content: AsyncIterable<Uint8Array> | TableFile, options: ReadOptions) {
    const { file, folder, format, delimiter, encoding, columns, keyColumn = null, html } = options;
    this.#options = options;
    this.#delimiter = delimiter === null ? null : parseDelimiter(delimiter);
    this.#table = 'format' in content ? content : null;
    this.#text = 'format' in content ? null : readText(content, encoding, this.#problems);
    this.#html = html ? createHtmlRows(html.library, this.#problems) : null;
    this.#keyColumn = new KeyColumn(keyColumn);
    this.#columnDoubts = new ColumnDoubts(columns);
    this.#incoming = new IncomingRows(options, this.placeOf);
    this.#source = {
      file,
      folder,
      format: this.#table?.format ?? format ?? formatOfName(file) ?? 'csv',
      columns: [],
      fields: {},
      missing: options.odd === 'hold' ? 'none' : 'text',
    };
  }

  source(): Source {
    return this.#source;
  }

  header(): readonly string[] {
    return this.#header;
  }

  isKeyed(): boolean {
    return this.#keyColumn.isFound;
  }

  readonly placeOf: PlaceOf = (line) => {
    if (this.#table !== null) return { line: null, row: line };
    return { line, row: this.#places.rowOf(line) };
  };

  readonly placed = (problem: Problem): Problem => {
    const { line, message: en, said } = problem;
    const row = line === null ? null : this.#places.rowOf(line);
    if (row === null) return problem;
    const what = said === undefined ? { en, zh: en } : inBoth(said);
    return problemOf(line, message('rows.at', { row, what }));
  };

  found(): FoundFile {
    return {
      encoding: this.#text?.encoding() ?? null,
      format: this.#source.format,
      delimiter: this.#reader?.delimiter() ?? null,
      rows: this.#incoming.count,
      images: this.#incoming.imageCounts(),
      odd: this.#incoming.oddCount,
      notes: this.#notes(),
    };
  }

  #notes(): readonly Message[] {
    return [
      ...(this.#text?.notes() ?? []),
      ...(this.#isFormatFound ? [message('json.found')] : []),
      ...(this.#reader?.notes() ?? []),
      ...renderColumns(this.#source, this.#incoming.choices),
      ...this.#apostrophes.notes(),
      ...this.#columnDoubts.notes(),
      ...this.#htmlNotes(),
      ...this.#incoming.notes(),
      ...(this.#incoming.count + this.#incoming.headings === 0 ? [message('rows.none')] : []),
    ];
  }

  #htmlNotes(): readonly Message[] {
    if (this.#html === null || !this.#isHtmlText) return [];
    const { cells: count, images, unseen } = this.#html.counts();
    return [
      ...(count > 0 ? [message('rows.html', { count, images })] : []),
      ...(unseen > 0 ? [message('rows.html-unseen', { count: unseen })] : []),
    ];
  }

  async *#read(): AsyncGenerator<readonly IncomingRow[]> {
    const { format, reader } = await this.#open();
    this.#reader = reader;
    for await (const read of reader.pages) {
      const rows = await this.#readPage(read, format);
      if (rows.length > 0) yield rows;
    }
    const last = await this.#incoming.end();
    if (last.length > 0) yield last;
    this.#end();
  }

  async #open(): Promise<{ readonly format: Source['format']; readonly reader: RowReader }> {
    const table = this.#table;
    if (table === null) return await this.#openText();
    return { format: table.format, reader: table.open(this.#options.columns, this.#problems) };
  }

  async #openText(): Promise<{ readonly format: 'csv' | 'jsonl'; readonly reader: RowReader }> {
    if (this.#text === null) throw new Error('there is nothing to read');
    const { columns: overrides, headerRow = null } = this.#options;
    const [problems, places] = [this.#problems, this.#places];
    const { start, from } = await peek(this.#text.blocks);
    const { format, isFound } = findFormat(start, this.#options);
    this.#isFormatFound = isFound;
    const anki = format === 'csv' ? ankiHeadOf(start) : null;
    const isNamed = anki === null || anki.text !== null;
    const other = isNamed ? otherTextIn(start, this.#delimiter) : { other: 'anki' as const, line: 1 };
    if (other !== null) problems.add(other.line, message('workbook.other-file', { other: other.other }));
    const blocks = from(other === null ? (anki?.text ?? start) : null);
    if (format === 'jsonl') return { format, reader: readJsonl(blocks, { overrides, problems }) };
    const delimiter = this.#delimiter ?? anki?.delimiter ?? null;
    return { format, reader: readCsv(blocks, { delimiter, headerRow, overrides, problems, places }) };
  }

  async #readPage(read: RowPage, format: Source['format']): Promise<readonly IncomingRow[]> {
    this.#header = read.columns;
    const { page: unkeyed, keys } = this.#keyColumn.take(read);
    const isSheet = format === 'csv' || format === 'xlsx';
    const plain = isSheet ? this.#apostrophes.read(unkeyed, this.#isOwn(read.columns)) : unkeyed;
    const asIs = format === 'jsonl' ? plain : withoutColumn(plain, this.#options.leftOut ?? null);
    const { page, other } = this.#readHtml(asIs);
    this.#columnDoubts.look(asIs);
    this.#source = this.#sourceOf(format, page);
    if (page.rows.length === 0) return [];
    if (isSheet) this.#refuseOtherTable(page);
    return await this.#incoming.read(page, { source: this.#source, keys, other });
  }

  /** True for a table that the program wrote. */
  #isOwn(header: readonly string[]): boolean {
    const { isOwn = () => false } = this.#options;
    return this.#keyColumn.isFound || endsInFailures(header) || isOwn(header);
  }

  get #isHtmlText(): boolean {
    return this.#options.html?.mode === 'text';
  }

  /** The page with its HTML as it is sent, and read the other way. */
  #readHtml(asIs: RowPage): { readonly page: RowPage; readonly other: RowPage | null } {
    const converted = this.#html?.convert(asIs) ?? null;
    if (converted === null || !this.#isHtmlText) return { page: asIs, other: converted };
    return { page: converted, other: asIs };
  }

  #sourceOf(format: Source['format'], { columns, fields }: RowPage): Source {
    if (this.#source.columns === columns && this.#source.fields === fields) return this.#source;
    const { furtherPictures: _, ...known } = this.#source;
    const further = furtherPictures(columns, fields);
    return { ...known, format, columns, fields, ...(further && { furtherPictures: further }) };
  }

  #refuseOtherTable({ rows, fields }: RowPage): void {
    for (const { input, line } of rows)
      if (isOtherHeader(input, fields)) this.#problems.add(line, message('rows.other-table'));
  }

  /** Throws `InputError` with all that is wrong with the file. */
  #end(): void {
    const problems = this.#problems;
    if (problems.count === 0) for (const said of this.#columnDoubts.problems()) problems.add(null, said);
    const allOdd = this.#incoming.allOdd(this.#source);
    if (allOdd !== null) problems.add(null, allOdd);
    if (problems.count === 0) return;
    const { file } = this.#source;
    const listed = problems.list(this.#incoming.count).map(this.placed);
    throw new InputError(file === '-' ? 'standard input' : file, listed);
  }
}
