/**
 * Reads an input file into rows that can be submitted. The file is read once, front to back, a page at a time, so
 * standard input and files of any size work. A row that cannot be sent says why; a file that cannot be read as a whole
 * fails with all its problems.
 */

import { InputError, type Problem, problemOf } from '../errors.ts';
import { inlineBytes, tooLarge, tooLargeTogether } from '../files/image-size.ts';
import { shownEntry } from '../files/image-source.ts';
import { isCutInline } from '../files/picture-flaw.ts';
import type { PlaceOf } from '../messages/input.ts';
import { inBoth, type Message, message } from '../messages/message.ts';
import type { Question } from '../money/item.ts';
import {
  type Field,
  fields,
  type ImageCounts,
  type IncomingRow,
  isPictureField,
  type ParsedQuestion,
  parseQuestion,
  pictureFields,
  type Source,
} from '../money/question.ts';
import type { HtmlMode } from '../text/cell-kinds.ts';
import { shellWord } from '../text/shell-word.ts';
import { Apostrophes } from './apostrophes.ts';
import { cutName, listColumns, listOptions } from './columns/columns.ts';
import { KeyColumn, withoutColumn } from './columns/key-column.ts';
import { nearFields } from './columns/near-columns.ts';
import { furtherPictures } from './columns/numbered-pictures.ts';
import { optionColumns } from './columns/option-columns.ts';
import { endsInFailures } from './columns/own-columns.ts';
import { ChoiceAnswers } from './doubts/choice-answers.ts';
import { ColumnDoubts } from './doubts/column-doubts.ts';
import { NotedCells } from './doubts/noted-cells.ts';
import type { OddMode } from './doubts/odd-modes.ts';
import { OddRows } from './doubts/odd-rows.ts';
import { isOtherHeader } from './doubts/other-table.ts';
import { parseDelimiter } from './find-delimiter.ts';
import type { HtmlLibrary } from './html-library.ts';
import { ankiHeadOf, otherTextIn } from './other-texts.ts';
import { contentWithBytes, type PictureDigest, readDigests } from './picture-content.ts';
import { readCsv } from './read-csv.ts';
import { readText, type TextBlock } from './read-encoding.ts';
import { createHtmlRows } from './read-html.ts';
import { createImageCheck, type ImageCheck, type LookAtPicture } from './read-images.ts';
import { parseLine, readJsonl } from './read-jsonl.ts';
import { createProblems, type Problems } from './read-problems.ts';
import type { FieldColumns, RawRow, RowPage, RowReader } from './read-rows.ts';
import { createRowPlaces } from './row-places.ts';

/** How to read a file; null means detect. */
export interface ReadOptions {
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
  readonly lookAtPicture: LookAtPicture;
  /** Distinguishes pictures with the same name; without it pictures are known by name only. */
  readonly pictureDigest?: PictureDigest;
  /** Bytes of a picture that the run keeps under this digest; null where it keeps none. Without it, none are kept. */
  readonly keptSize?: (sha256: string) => Promise<number | null>;
  /** The largest image that is sent. */
  readonly maxImageBytes: number;
  /** What becomes of rows that look odd; without it they are sent like others. */
  readonly odd?: OddMode;
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
  const { file, folder } = options;
  const problems = createProblems();
  const places = createRowPlaces();
  const delimiter = options.delimiter === null ? null : parseDelimiter(options.delimiter);
  const missing = options.odd === 'hold' ? 'empty' : 'text';
  const table = 'format' in content ? content : null;
  const text = 'format' in content ? null : readText(content, options.encoding, problems);
  const images = createImageCheck(options.lookAtPicture, options.maxImageBytes);
  let source: Source = {
    file,
    folder,
    format: table?.format ?? options.format ?? formatOfName(file) ?? 'csv',
    columns: [],
    fields: {},
    missing,
  };
  let header: readonly string[] = [];
  let reader: RowReader | null = null;
  let rowCount = 0;
  /** Its name speaks for another format. */
  let isFound = false;
  const counted = { rows: 0, file: 0, inline: 0, kept: 0, url: 0 };
  const count = ({ questionImages, answerImages }: Question): void => {
    for (const { kind } of questionImages) counted[kind] += 1;
    for (const { kind } of answerImages) counted[kind] += 1;
    if (questionImages.length + answerImages.length > 0) counted.rows += 1;
  };

  const odd = options.odd === 'hold' ? new OddRows((line) => placeOf(line)) : null;
  const keyColumn = new KeyColumn(options.keyColumn ?? null);
  const apostrophes = new Apostrophes();
  const columnDoubts = new ColumnDoubts(options.columns);
  const noted = new NotedCells((line) => placeOf(line));
  const choices = new ChoiceAnswers();
  const htmlRows = options.html ? createHtmlRows(options.html.library, problems) : null;
  const placeOf: PlaceOf = (line) => {
    if (table !== null) return { line: null, row: line };
    return { line, row: places.rowOf(line) };
  };
  const htmlNotes = (): Message[] => {
    const { cells, images: found } = htmlRows?.counts() ?? { cells: 0, images: 0 };
    if (cells === 0 || options.html?.mode !== 'text') return [];
    return [message('rows.html', { count: cells, images: found })];
  };
  const placed = (problem: Problem): Problem => {
    const { line, message: en, said } = problem;
    const row = line === null ? null : places.rowOf(line);
    if (row === null) return problem;
    return problemOf(
      line,
      message('rows.at', { row, what: said === undefined ? { en, zh: en } : inBoth(said) }),
    );
  };

  async function* rows(): AsyncGenerator<readonly IncomingRow[]> {
    const overrides = options.columns;
    const { format } = text === null ? source : { format: await openText(text.blocks) };
    reader ??= table?.open(overrides, problems) ?? null;
    if (reader === null) throw new Error('there is nothing to read');
    for await (const read of reader.pages) {
      header = read.columns;
      const { page: unkeyed, keys } = keyColumn.take(read);
      const isSheet = format === 'csv' || format === 'xlsx';
      const isOwn =
        keyColumn.isFound || endsInFailures(read.columns) || options.isOwn?.(read.columns) === true;
      const plain = isSheet ? apostrophes.read(unkeyed, isOwn) : unkeyed;
      const asIs = format === 'jsonl' ? plain : withoutColumn(plain, options.leftOut ?? null);
      const converted = htmlRows?.convert(asIs) ?? null;
      const isText = converted !== null && options.html?.mode === 'text';
      const page = isText ? converted : asIs;
      columnDoubts.look(asIs);
      source = sourceOf(format, page);
      if (page.rows.length === 0) continue;
      if (isSheet) refuseOtherTable(page);
      const { pictureDigest = null, keptSize = null, maxImageBytes } = options;
      const firstRow = rowCount + 1;
      const other = isText ? asIs : converted;
      yield await readPage(page, {
        source,
        keys,
        odd,
        other,
        images,
        pictureDigest,
        keptSize,
        maxImageBytes,
        count,
        noted,
        choices,
        firstRow,
      });
      rowCount += page.rows.length;
    }
    if (problems.count === 0) for (const said of columnDoubts.problems()) problems.add(null, said);
    const whatAllAre = odd?.whatAllAre() ?? null;
    if (whatAllAre !== null && source.fields.question !== undefined) {
      const column = JSON.stringify(source.fields.question);
      problems.add(null, message('rows.all-odd', { column, what: whatAllAre }));
    }
    if (problems.count > 0)
      throw new InputError(file === '-' ? 'standard input' : file, problems.list(rowCount).map(placed));
  }

  const sourceOf = (format: Source['format'], { columns, fields: columnOf }: RowPage): Source => {
    if (source.columns === columns && source.fields === columnOf) return source;
    const further = furtherPictures(columns, columnOf);
    return {
      file,
      folder,
      format,
      missing,
      columns,
      fields: columnOf,
      ...(further && { furtherPictures: further }),
    };
  };

  const refuseOtherTable = ({ rows: read, fields: columnOf }: RowPage): void => {
    for (const { input, line } of read)
      if (isOtherHeader(input, columnOf)) problems.add(line, message('rows.other-table'));
  };

  const openText = async (blocks: AsyncIterable<TextBlock>): Promise<'csv' | 'jsonl'> => {
    const overrides = options.columns;
    const { start, from } = await peek(blocks);
    const { format, isFound: isJsonFound } = findFormat(start, options);
    isFound = isJsonFound;
    const anki = format === 'csv' ? ankiHeadOf(start) : null;
    const isNamed = anki === null || anki.text !== null;
    const other = isNamed ? otherTextIn(start, delimiter) : { other: 'anki' as const, line: 1 };
    if (other !== null) problems.add(other.line, message('workbook.other-file', { other: other.other }));
    const read = from(other === null ? (anki?.text ?? start) : null);
    reader =
      format === 'csv'
        ? readCsv(read, {
            delimiter: delimiter ?? anki?.delimiter ?? null,
            headerRow: options.headerRow ?? null,
            overrides,
            problems,
            places,
          })
        : readJsonl(read, { overrides, problems });
    return format;
  };

  return {
    rows: { [Symbol.asyncIterator]: rows },
    source: () => source,
    header: () => header,
    isKeyed: () => keyColumn.isFound,
    placed,
    placeOf,
    found: () => ({
      encoding: text?.encoding() ?? null,
      format: source.format,
      delimiter: reader?.delimiter() ?? null,
      rows: rowCount,
      images: {
        rows: counted.rows,
        files: counted.file,
        inline: counted.inline,
        kept: counted.kept,
        addresses: counted.url,
      },
      notes: [
        ...(text?.notes() ?? []),
        ...(isFound ? [message('json.found')] : []),
        ...(reader?.notes() ?? []),
        ...renderColumns(source, choices),
        ...apostrophes.notes(),
        ...columnDoubts.notes(),
        ...htmlNotes(),
        ...noted.notes(),
        ...(odd?.notes() ?? []),
        ...(rowCount === 0 ? [message('rows.none')] : []),
      ],
    }),
  };
}

const missingPicture = 'is not among the pictures that the run keeps; use the workbook that it came from';

/** The format that a file name shows; null for none. */
function formatOfName(file: string): 'csv' | 'jsonl' | null {
  if (/\.(csv|tsv|txt)$/i.test(file)) return 'csv';
  return /\.(jsonl|ndjson|json)$/i.test(file) ? 'jsonl' : null;
}

/** Blocks whose first text is known before they are read. */
interface PeekedBlocks {
  /** Whole lines; '' for an empty file. */
  readonly start: string;
  /** All of them, the first with this text; none for null. */
  from(text: string | null): AsyncIterable<TextBlock>;
}

async function peek(blocks: AsyncIterable<TextBlock>): Promise<PeekedBlocks> {
  const iterator = blocks[Symbol.asyncIterator]();
  const first = await iterator.next();
  async function* from(text: string | null): AsyncGenerator<TextBlock> {
    try {
      if (first.done === true || text === null) return;
      yield { ...first.value, text };
      yield* { [Symbol.asyncIterator]: () => iterator };
    } finally {
      // A reader that stops at the first block must still close the file.
      await iterator.return?.();
    }
  }
  return { start: first.done === true ? '' : first.value.text, from };
}

/**
 * The format by option, by name, else by the first character. A text (.txt) is JSONL only where its first line is a whole
 * object, which no header of a table is.
 */
function findFormat(
  start: string,
  options: ReadOptions,
): { readonly format: 'csv' | 'jsonl'; readonly isFound: boolean } {
  const isText = options.format === null && textName.test(options.file);
  const format = options.format ?? formatOfName(options.file);
  if (!isText && (format === 'csv' || format === 'jsonl')) return { format, isFound: false };
  const isJson = isText ? startsWithObject(start) : /^\s*[{[]/.test(start);
  return { format: isJson ? 'jsonl' : 'csv', isFound: isText && isJson };
}

const textName = /\.txt$/i;

/** True where the first line of whole lines is a JSON object. */
function startsWithObject(text: string): boolean {
  const [line = ''] = text.trimStart().split(/[\r\n]/, 1);
  return line.startsWith('{') && parseLine(line) !== null;
}

/** Parses the rows of a page, checking all their images on disk at once. */
async function readPage(
  { rows }: RowPage,
  context: {
    readonly source: Source;
    /** Of the rows; none where the file has no column for them. */
    readonly keys: readonly (string | null)[];
    /** Holds back those that look odd; null where they are sent. */
    readonly odd: OddRows | null;
    /** The same rows with their HTML read the other way; null where that does not matter. */
    readonly other: RowPage | null;
    readonly images: ImageCheck;
    readonly pictureDigest: PictureDigest | null;
    readonly keptSize: ((sha256: string) => Promise<number | null>) | null;
    readonly maxImageBytes: number;
    readonly count: (question: Question) => void;
    readonly noted: NotedCells;
    readonly choices: ChoiceAnswers;
    readonly firstRow: number;
  },
): Promise<IncomingRow[]> {
  const parsed = rows.map(({ input }) => parseQuestion(input, context.source));
  for (const { question } of parsed) context.count(question);
  const held = context.odd?.look(rows, parsed, context.source) ?? [];
  const sent = parsed.map(({ question, failure }, at) =>
    (failure ?? held[at] ?? null) === null ? question : null,
  );
  context.noted.look(rows, sent, context.source);
  context.choices.look(rows, sent, context.source);
  const others = parseOthers(rows, context);
  const otherwise = rows.map((row, at) => parseOtherwise(row, parsed[at], context.source));
  const pictures = parsed.flatMap(({ files }) => files);
  const allPictures = [...pictures, ...[...others, ...otherwise].flatMap((other) => other?.files ?? [])];
  const verdicts = await context.images.look(allPictures);
  const good = allPictures.filter(({ path }) => verdicts.get(path)?.failure === null);
  const digests = await readDigests(good, context.pictureDigest ?? (async () => null));
  const kept = await keptSizes(
    parsed.map(({ question }) => question),
    context.keptSize,
  );
  return parsed.map(({ question, failure, files, content }, at) => {
    const failures = files.flatMap(({ field, written, path }) => {
      const wrong = verdicts.get(path)?.failure ?? null;
      return wrong === null ? [] : [`${field}: ${shownEntry(written)} ${wrong}`];
    });
    const sizes = files.map(({ path }) => verdicts.get(path)?.sizeBytes ?? 0);
    const inline = inlineFailures(question, kept, context.maxImageBytes);
    const wrong = [...failures, ...inline.failures];
    const together = tooLargeTogether(inline.bytes + sum(sizes), context.maxImageBytes);
    // Where a single image is too large, the total adds nothing.
    const all = [failure, held[at] ?? null, ...wrong, wrong.length === 0 ? together : null].filter(
      (each) => each !== null,
    );
    return {
      row: context.firstRow + at,
      line: rows[at]?.line ?? 0,
      id: question.id,
      content: contentWithBytes({ content, files }, digests),
      written: writtenOf({ content, files }, others[at] ?? null, digests),
      otherwise: otherwise[at] == null ? null : contentWithBytes(otherwise[at], digests),
      quality: question.quality,
      input: rows[at]?.input ?? {},
      failure: all.length === 0 ? null : all.join('; '),
      key: context.keys[at] ?? null,
    };
  });
}

/** The rows that mean something else when their HTML is read the other way; null for the rest. */
function parseOthers(
  rows: readonly RawRow[],
  { other, source }: { readonly other: RowPage | null; readonly source: Source },
): readonly (ParsedQuestion | null)[] {
  if (other === null) return [];
  return rows.map((row, at) => {
    const input = other.rows[at]?.input ?? row.input;
    if (input === row.input) return null;
    return parseQuestion(input, { ...source, columns: other.columns, fields: other.fields });
  });
}

/** The row with its cells read the other way, as a run may know it; null where that is the same. */
function parseOtherwise(
  { input, asWritten }: RawRow,
  parsed: ParsedQuestion | undefined,
  source: Source,
): ParsedQuestion | null {
  if (asWritten === undefined && !parsed?.isAmbiguous) return null;
  const { missing, ...asTexts } = source;
  const others: ParsedQuestion[] = [];
  if (asWritten !== undefined) others.push(parseQuestion(asWritten, asTexts));
  if (parsed?.isAmbiguous && missing === 'text')
    others.push(parseQuestion(input, { ...asTexts, missing: 'empty' }));
  if (parsed?.isAmbiguous) others.push(parseQuestion(input, asTexts));
  return others.find(({ content }) => content !== parsed?.content) ?? null;
}

/** The content by which a run may know the row: with its HTML read the other way, or by the names of its pictures. */
function writtenOf(
  { content, files }: Pick<ParsedQuestion, 'content' | 'files'>,
  other: ParsedQuestion | null,
  digests: ReadonlyMap<string, string>,
): string | null {
  if (other !== null) return contentWithBytes(other, digests);
  return files.length === 0 ? null : content;
}

/** Bytes of the kept pictures of these questions by digest; null for those that are missing. */
async function keptSizes(
  questions: readonly Question[],
  keptSize: ((sha256: string) => Promise<number | null>) | null,
): Promise<ReadonlyMap<string, number | null>> {
  const sizes = new Map<string, number | null>();
  for (const { questionImages, answerImages } of questions)
    for (const image of [...questionImages, ...answerImages])
      if (image.kind === 'kept' && !sizes.has(image.sha256))
        sizes.set(image.sha256, (await keptSize?.(image.sha256)) ?? null);
  return sizes;
}

/** Images in the row itself or kept with the run: their total bytes, and what is wrong with each. */
function inlineFailures(
  question: Question,
  kept: ReadonlyMap<string, number | null>,
  maxImageBytes: number,
): { readonly bytes: number; readonly failures: readonly string[] } {
  let bytes = 0;
  const failures: string[] = [];
  for (const field of pictureFields) {
    for (const [at, image] of question[field].entries()) {
      const known = image.kind === 'kept' ? (kept.get(image.sha256) ?? null) : inlineBytes(image);
      const size = known ?? 0;
      const flaw = image.kind === 'inline' && isCutInline(image) ? 'is cut off' : null;
      const wrong = known === null ? missingPicture : (flaw ?? tooLarge(size, maxImageBytes));
      if (wrong !== null) failures.push(`${field}: image ${at + 1} ${wrong}`);
      bytes += size;
    }
  }
  return { bytes, failures };
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((all, each) => all + each, 0);
}

/** The columns recognized by another name, and those that are only copied to the reports. */
function renderColumns(source: Source, choices: ChoiceAnswers): Message[] {
  const { fields: columnOf, columns } = source;
  const meant = fields.flatMap((field) => {
    const column = columnOf[field];
    const further = furtherOf(source, field);
    if (column === undefined || (column === field && further.length === 0)) return [];
    return [{ column: [column, ...further].map(cutName).join(' + '), field }];
  });
  const used = new Set([
    ...Object.values(columnOf),
    ...pictureFields.flatMap((field) => furtherOf(source, field)),
  ]);
  const options = optionColumns(columns).filter((column) => !used.has(column));
  const lists = choices.toLists();
  const told = new Set([...used, ...options, ...lists.map(({ column }) => column)]);
  const others = columns.filter((column) => !told.has(column));
  return [
    ...(meant.length > 0 ? [message('columns.recognized', { meant })] : []),
    ...(options.length > 0
      ? [renderOptions(options, { columns, known: columnOf, named: choices.toOptions() })]
      : []),
    ...lists.map(({ column, named }) => message('columns.choices', { column: cutName(column), named })),
    ...(others.length > 0 ? [message('columns.not-sent', { columns: listColumns(others) })] : []),
  ];
}

function furtherOf({ furtherPictures: further }: Source, field: Field): readonly string[] {
  return isPictureField(field) ? (further?.[field] ?? []) : [];
}

/** The options of multiple choice, and the option to type where no answer is sent. */
function renderOptions(
  options: readonly string[],
  {
    columns,
    known,
    named,
  }: {
    readonly columns: readonly string[];
    readonly known: FieldColumns;
    readonly named: string | null;
  },
): Message {
  const near = nearFields(columns, known).answer;
  const answer = near === undefined ? null : { column: cutName(near), map: shellWord(`answer=${near}`) };
  return message('columns.options', {
    columns: listOptions(options),
    isAnswered: known.answer !== undefined || known.answerImages !== undefined,
    answer,
    named,
  });
}
