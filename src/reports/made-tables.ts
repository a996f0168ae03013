/** Tables that the program writes and that hold no questions to send, known by their header under any name. */

import { uncertainColumns } from '../features/resolve/findings-table.ts';
import { markColumns } from '../features/review/marks-table.ts';
import { headerKey } from '../input/columns/known-names.ts';
import type { MadeTable } from '../messages/input.ts';
import { reportColumns } from './columns.ts';
import { manifestColumns } from './manifest.ts';

const tables: readonly (readonly [what: MadeTable, columns: readonly string[]])[] = [
  ['report', reportColumns],
  ['manifest', manifestColumns],
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
