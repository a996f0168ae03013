/** Reads the rows of a Parquet file, one group of rows after the other. */

import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib';
import type { SchemaTree } from 'hyparquet';
import { message } from '../../messages/message.ts';
import type { FileAccess } from '../../ports.ts';
import { storable } from '../../text/cells/storable-text.ts';
import { hasQuestion, mapColumns } from '../columns/columns.ts';
import type { Problems } from '../read-problems.ts';
import { decideFields, type FieldColumns, type RawRow, type RowPage, type RowReader } from '../read-rows.ts';
import { damagedParquet, type ParquetLibrary } from './parquet-library.ts';
import { plainValue, sentText, textParsers, toldText, withoutDecimals } from './values.ts';

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
  const { overrides, problems, library } = options;

  async function* pages(): AsyncGenerator<RowPage> {
    const source = {
      byteLength: file.sizeBytes,
      async slice(start: number, end = file.sizeBytes) {
        // A copy: small reads share the memory of others, and the library takes all of it.
        return new Uint8Array(await file.read(start, end - start)).buffer;
      },
    };
    try {
      const footer = Buffer.from(await file.read(file.sizeBytes - 8, 8));
      if (footer.toString('latin1', 4) !== 'PAR1') throw new Error('its end is missing');
      if (footer.readUInt32LE(0) > footerMaxBytes) throw new Error('its list of columns is too long');
      const metadata = await library.parquetMetadataAsync(source, { parsers: textParsers });
      const { children } = library.parquetSchema(metadata);
      const names = children.map(nameOf);
      const columns = [...new Set(names)];
      const before = problems.count;
      if (columns.length > mostColumns) {
        problems.add(null, message('columns.too-many', { count: columns.length, most: mostColumns }));
        return;
      }
      for (const column of new Set(names.filter((name, at) => names.indexOf(name) !== at)))
        problems.add(null, message('columns.twice', { column: JSON.stringify(column) }));
      const groupRows = metadata.row_groups.reduce((sum, group) => sum + group.num_rows, 0n);
      if (groupRows !== metadata.num_rows)
        throw new Error('its groups have another number of rows than it says');
      const plainMetadata = withoutDecimals(metadata);
      const mapped = mapColumns(columns, overrides).fields;
      const { id: _, ...sent } = mapped;
      const sentColumns = new Set(Object.values(sent));
      const rowsFrom = async (rowStart: number, rowEnd: number): Promise<RawRow[]> => {
        const rows = await library.parquetReadObjects({
          file: source,
          metadata: plainMetadata,
          rowStart,
          rowEnd,
          utf8: false,
          compressors,
          parsers: textParsers,
        });
        if (rows.length !== rowEnd - rowStart) throw new Error('a group has fewer rows than it says');
        return rows.map((row, index) => readRow(row, children, sentColumns, rowStart + index + 1));
      };
      const group = metadata.row_groups[0];
      const isShown =
        !hasQuestion(mapped) &&
        Number(group?.num_rows) > 0 &&
        Number(group?.total_byte_size) <= groupMaxBytes;
      const sample = isShown ? ((await rowsFrom(0, 1))[0] ?? null) : null;
      const fields = decideFields(columns, overrides, { line: null, problems, sample });
      if (problems.count > before) return;
      let start = 0;
      for (const group of metadata.row_groups) {
        const count = Number(group.num_rows);
        if (!(count >= 0) || start + count > mostRows) throw new Error('a group has no valid number of rows');
        if (Number(group.total_byte_size) > groupMaxBytes)
          throw new Error('a group of rows is larger than 512 MB; write the file with smaller groups');
        for (let at = start; at < start + count; at += pageRows) {
          const rowEnd = Math.min(at + pageRows, start + count);
          yield { rows: await rowsFrom(at, rowEnd), columns, fields };
        }
        start += count;
      }
    } catch (error) {
      problems.add(null, damagedParquet(error));
    }
  }
  return { pages: pages(), delimiter: () => null, notes: () => [] };
}

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

function readRow(
  row: Readonly<Record<string, unknown>>,
  children: readonly SchemaTree[],
  sentColumns: ReadonlySet<string>,
  line: number,
): RawRow {
  const values = children.map((node) => {
    const name = nameOf(node);
    const textOf = sentColumns.has(name) ? sentText : toldText;
    return [name, plainValue(row[node.element.name], node, textOf)];
  });
  return { line, input: Object.fromEntries(values) };
}
