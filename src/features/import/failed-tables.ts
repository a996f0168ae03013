/** `failed.csv` and `failed.xlsx` of a run, fed back to it: which files they are, and which column is which field. */

import { type BigIntStats, lstatSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import type { Options } from '../../app/options/options.ts';
import { standardInput } from '../../app/options/standard-input.ts';
import { InputError } from '../../errors.ts';
import { mapColumns, noColumn } from '../../input/columns/columns.ts';
import { headerKey } from '../../input/columns/known-names.ts';
import { failureColumn } from '../../input/columns/own-columns.ts';
import { type ReadOptions, readQuestions } from '../../input/read-questions.ts';
import { type Field, fields, type Source } from '../../money/question.ts';
import { openInput } from './input-bytes.ts';
import { openTable } from './input-table.ts';

/** As a run names them. */
export const failedNames = ['failed.csv', 'failed.xlsx'];

/** True for a table that the run in `out` wrote, under whatever path. */
export function isFailedTable(file: string, out: string): boolean {
  if (file === standardInput) return false;
  if (dirname(resolve(file)) === out && failedNames.includes(basename(file))) return true;
  // A link, or a file system without regard to case: as another file it would take all other rows away.
  const given = stateOf(() => statSync(file, { bigint: true }));
  return (
    given !== null &&
    failedNames.some((name) => {
      // Not through a link in the folder: another file would pass for the table.
      const own = stateOf(() => lstatSync(join(out, name), { bigint: true }));
      return own !== null && own.dev === given.dev && own.ino === given.ino;
    })
  );
}

/**
 * True for the header of such a table: whatever its name is now, it has only the rows that ended badly, and takes none of
 * the others away. A column that the user added may stand anywhere.
 */
export function isFailedHeader(header: readonly string[], sources: readonly Source[]): boolean {
  const keys = header.map(headerKey);
  const end = keys.indexOf(headerKey(failureColumn(sources)));
  const before = new Set(keys.slice(0, Math.max(end, 0)));
  return sources.some(
    ({ columns }) => columns.length > 0 && columns.every((column) => before.has(headerKey(column))),
  );
}

/** True for such a table that cannot be read as a file of questions is read: its columns need the `--map` of the run. */
export async function hasFailedHeader(
  file: string,
  options: Options,
  sources: readonly Source[],
): Promise<boolean> {
  for (const source of sources.slice(0, triedSources))
    if (isFailedHeader(await readHeader(file, options, columnsOf(source)), sources)) return true;
  return false;
}

function stateOf(read: () => BigIntStats): BigIntStats | null {
  try {
    return read();
  } catch {
    return null;
  }
}

/**
 * Which column of such a table is which field, as the run read its files: a `--map` need not be typed again. Without it
 * another column would be sent, and paid for as new questions.
 */
export async function failedColumns(
  file: string,
  options: Options,
  sources: readonly Source[],
): Promise<ReadOptions['columns']> {
  for (const columns of [{}, ...sources.slice(0, triedSources).map(columnsOf)]) {
    const header = await readHeader(file, options, columns);
    if (header.length > 0) return columnsIn(header, sources);
  }
  return {};
}

/** Most runs have one; a header whose names say nothing is that of one of the first. */
const triedSources = 8;

function columnsOf(source: Source): ReadOptions['columns'] {
  return Object.fromEntries(fields.map((field) => [field, source.fields[field] ?? noColumn]));
}

function columnsIn(header: readonly string[], sources: readonly Source[]): ReadOptions['columns'] {
  const usual = mapColumns(header, {}).fields;
  const found: Partial<Record<Field, string>> = {};
  for (const field of fields) {
    const known = sources.map((source) => source.fields[field]?.trim());
    const column = known.find((name) => name !== undefined && header.includes(name));
    const named = usual[field];
    // A column that was no field before is none now; one that the user added may be one.
    const isNone = named !== undefined && sources.some(({ columns }) => columns.includes(named));
    if (column !== undefined) found[field] = column;
    else if (isNone) found[field] = noColumn;
  }
  return found;
}

/** The names in the header; none where there is no question among them. */
async function readHeader(
  file: string,
  options: Options,
  columns: ReadOptions['columns'],
): Promise<readonly string[]> {
  await using table = await openTable(file, options);
  try {
    const { delimiter = null, encoding = null } = options;
    const questions = readQuestions(table ?? openInput(file, { resume: null }).bytes, {
      file,
      folder: '/',
      format: options.format ?? null,
      delimiter,
      encoding,
      columns,
      lookAtPicture: async () => null,
      maxImageBytes: Number.POSITIVE_INFINITY,
    });
    for await (const _ of questions.rows) break;
    return questions.source().columns;
  } catch (error) {
    if (error instanceof InputError) return [];
    throw error;
  }
}
