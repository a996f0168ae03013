/** Tables that the program writes and that hold no questions to send, known by their header under any name. */

import { headerKey } from '../core/columns.ts';
import { uncertainColumns } from '../core/findings-table.ts';
import { markColumns } from '../core/marks-table.ts';
import { reportColumns } from './columns.ts';
import { oldestManifest } from './manifest.ts';

/** A report has had these columns from the first version on; later ones added some. */
const oldestReport = reportColumns.slice(0, reportColumns.indexOf('attempts') + 1);

const tables: readonly (readonly [what: string, columns: readonly string[]])[] = [
  ['a report', oldestReport],
  ['the manifest of an export', oldestManifest],
  ['a table of marks', markColumns],
  ['a list of uncertain rows', uncertainColumns],
];

/**
 * What the table with this header is; null for a file of questions. Only a header that begins with all columns of such a
 * table is meant: a user's own file may well have the columns `id`, `status` and `question`.
 */
export function madeTable(header: readonly string[]): string | null {
  const keys = header.map(headerKey);
  const found = tables.find(([, columns]) => columns.every((column, at) => keys[at] === headerKey(column)));
  return found?.[0] ?? null;
}
