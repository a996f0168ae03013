/** Reads the rows of a Parquet file, one group of rows after the other. */

import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib';
import type { AsyncBuffer, FileMetaData, SchemaTree } from 'hyparquet';
import { message } from '../../messages/message.ts';
import { ReasonError } from '../../messages/reasons/reason-error.ts';
import type { FileAccess } from '../../ports.ts';
import { storable } from '../../text/cells/storable-text.ts';
import { hasQuestion, mapColumns, mapOption } from '../columns/columns.ts';
import type { Problems } from '../read-problems.ts';
import { decideFields, type FieldColumns, type RawRow, type RowPage, type RowReader } from '../read-rows.ts';
import { damagedParquet, type ParquetLibrary } from './parquet-library.ts';
import { isPicture, plainValue, sentText, textParsers, unsentText, withoutDecimals } from './values.ts';

/** How to read a Parquet file. */
interface ParquetOptions {
  readonly overrides: FieldColumns;
  readonly problems: Problems;
  readonly library: ParquetLibrary;
}

const pageRows = 256;
const mostColumns = 1_000;
const mostRows = 100_000_000;
/** What the list of columns and groups may take: files of a million rows have some kilobytes. */
const footerMaxBytes = 64 * 1024 * 1024;
/** A group of rows is decoded as a whole. */
const groupMaxBytes = 512 * 1024 * 1024;

/** The rows of a file; their numbers count from 1. */
export function readParquet(file: FileAccess, options: ParquetOptions): RowReader {
  async function* pages(): AsyncGenerator<RowPage> {
    try {
      const table = await openTable(file, options);
      if (table !== null) yield* table.pages();
    } catch (error) {
      options.problems.add(null, damagedParquet(error));
    }
  }
  return { pages: pages(), delimiter: () => null, notes: () => [] };
}

/** Reads the end of a file; null, and a problem, for one with too many columns. */
async function openTable(file: FileAccess, options: ParquetOptions): Promise<ParquetTable | null> {
  const { problems, library } = options;
  const source = {
    byteLength: file.sizeBytes,
    async slice(start: number, end = file.sizeBytes) {
      // A copy: small reads share the memory of others, and the library takes all of it.
      return new Uint8Array(await file.read(start, end - start)).buffer;
    },
  };
  const footer = Buffer.from(await file.read(file.sizeBytes - 8, 8));
  if (footer.toString('latin1', 4) !== 'PAR1') throw new ReasonError(message('parquet.no-end'));
  if (footer.readUInt32LE(0) > footerMaxBytes) throw new ReasonError(message('parquet.long-footer'));
  const metadata = await library.parquetMetadataAsync(source, { parsers: textParsers });
  const codec = metadata.row_groups
    .flatMap(({ columns }) => columns.map(({ meta_data: column }) => column?.codec ?? 'UNCOMPRESSED'))
    .find((each) => !codecs.has(each));
  if (codec !== undefined) {
    problems.add(null, message('parquet.codec', { codec }));
    return null;
  }
  const { children } = library.parquetSchema(metadata);
  const count = new Set(children.map(nameOf)).size;
  if (count <= mostColumns) return new ParquetTable(source, metadata, children, options);
  problems.add(null, message('columns.too-many', { count, most: mostColumns }));
  return null;
}

/** A file whose end was read. */
class ParquetTable {
  readonly #source: AsyncBuffer;
  readonly #metadata: FileMetaData;
  /** The columns, as the schema has them. */
  readonly #children: readonly SchemaTree[];
  readonly #options: ParquetOptions;
  /** Each name once. */
  readonly #columns: readonly string[];
  readonly #mapped: FieldColumns;
  readonly #sentColumns: ReadonlySet<string>;
  /** Columns of texts that hold pictures. */
  readonly #pictured = new Set<string>();

  constructor(
    source: AsyncBuffer,
    metadata: FileMetaData,
    children: readonly SchemaTree[],
    options: ParquetOptions,
  ) {
    this.#source = source;
    this.#metadata = withoutDecimals(metadata);
    this.#children = children;
    this.#options = options;
    this.#columns = [...new Set(children.map(nameOf))];
    this.#mapped = mapColumns(this.#columns, options.overrides).fields;
    const { id: _, ...sent } = this.#mapped;
    this.#sentColumns = new Set(Object.values(sent));
  }

  async *pages(): AsyncGenerator<RowPage> {
    const fields = await this.#fields();
    if (fields === null) return;
    const columns = this.#columns;
    let start = 0;
    for (const group of this.#metadata.row_groups) {
      const count = Number(group.num_rows);
      if (!(count >= 0) || start + count > mostRows) throw new ReasonError(message('parquet.no-count'));
      if (Number(group.total_byte_size) > groupMaxBytes)
        throw new ReasonError(message('parquet.large-group'));
      for (let at = start; at < start + count; at += pageRows) {
        const end = Math.min(at + pageRows, start + count);
        yield { rows: await this.#rows(at, end), columns, fields };
      }
      start += count;
    }
  }

  /** null, and problems, where the columns cannot be read. */
  async #fields(): Promise<FieldColumns | null> {
    const { overrides, problems } = this.#options;
    const before = problems.count;
    const names = this.#children.map(nameOf);
    for (const column of new Set(names.filter((name, at) => names.indexOf(name) !== at)))
      problems.add(null, message('columns.twice', { column: JSON.stringify(column) }));
    const { row_groups: groups, num_rows: rowCount } = this.#metadata;
    if (groups.reduce((sum, group) => sum + group.num_rows, 0n) !== rowCount)
      throw new ReasonError(message('parquet.other-count'));
    const sample = await this.#sample();
    const fields = decideFields(this.#columns, overrides, { line: null, problems, sample });
    return problems.count > before ? null : fields;
  }

  /** The first row, where it is to be shown because no column is the question. */
  async #sample(): Promise<RawRow | null> {
    const [group] = this.#metadata.row_groups;
    const isShown =
      !hasQuestion(this.#mapped) &&
      Number(group?.num_rows) > 0 &&
      Number(group?.total_byte_size) <= groupMaxBytes;
    return isShown ? ((await this.#rows(0, 1))[0] ?? null) : null;
  }

  /** The rows from `start` to before `end`, counted from 0. */
  async #rows(start: number, end: number): Promise<RawRow[]> {
    const rows = await this.#options.library.parquetReadObjects({
      file: this.#source,
      metadata: this.#metadata,
      rowStart: start,
      rowEnd: end,
      utf8: false,
      compressors,
      parsers: textParsers,
    });
    if (rows.length !== end - start) throw new ReasonError(message('parquet.short-group'));
    return rows.map((row, index) => this.#read(row, start + index + 1));
  }

  #read(row: Readonly<Record<string, unknown>>, line: number): RawRow {
    const values = this.#children.map((node) => {
      const name = nameOf(node);
      const value = row[node.element.name];
      if (isPicture(value)) this.#refusePicture(name, line);
      const textOf = this.#sentColumns.has(name) ? sentText : unsentText;
      return [name, plainValue(value, node, textOf)];
    });
    return { line, input: Object.fromEntries(values) };
  }

  /** The bytes of a picture are no text of a question or an answer. */
  #refusePicture(name: string, line: number): void {
    const field = (['question', 'answer'] as const).find((each) => this.#mapped[each] === name);
    if (field === undefined || this.#pictured.has(name)) return;
    this.#pictured.add(name);
    const map = mapOption(`${field}Images`, name);
    this.#options.problems.add(line, message('parquet.pictured', { column: JSON.stringify(name), map }));
  }
}

/** Those of the library, and of `compressors`. */
const codecs: ReadonlySet<string> = new Set(['UNCOMPRESSED', 'SNAPPY', 'GZIP', 'BROTLI', 'ZSTD']);

const compressors = {
  GZIP: (bytes: Uint8Array, sizeBytes: number) => gunzipSync(bytes, { maxOutputLength: sizeBytes }),
  BROTLI: (bytes: Uint8Array, sizeBytes: number) =>
    brotliDecompressSync(bytes, { maxOutputLength: sizeBytes }),
  ZSTD: (bytes: Uint8Array, sizeBytes: number) => zstdDecompressSync(bytes, { maxOutputLength: sizeBytes }),
};

/** The name of a column, as every store can keep it. */
function nameOf({ element }: SchemaTree): string {
  return storable(element.name);
}
