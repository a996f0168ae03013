/** Tables that the program writes and that hold no questions to send, known by their header under any name. */

import { uncertainColumns } from '../features/resolve/findings-table.ts';
import { markColumns } from '../features/review/marks-table.ts';
import { headerKey } from '../input/columns/known-names.ts';
import type { MadeTable } from '../messages/input.ts';
import { reportColumns } from './columns.ts';
import { oldestManifest } from './manifest.ts';

/** A report has had these columns from the first version on; later ones added some. */
const oldestReport = reportColumns.slice(0, reportColumns.indexOf('attempts') + 1);

const tables: readonly (readonly [what: MadeTable, columns: readonly string[]])[] = [
  ['report', oldestReport],
  ['manifest', oldestManifest],
  ['marks', markColumns],
  ['uncertain', uncertainColumns],
];

/**
 * What the table with this header is; null for a file of questions. Only a header with all columns of such a table is meant,
 * in any order and beside others: a user's own file may well have the columns `id`, `status` and `question`.
 */
export function madeTable(header: readonly string[]): MadeTable | null {
  const keys = new Set(header.map(headerKey));
  const found = tables.find(([, columns]) => columns.every((column) => keys.has(headerKey(column))));
  return found?.[0] ?? null;
}
