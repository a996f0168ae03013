/**
 * Tables that the program writes and that have no questions to send, known by their header under any name. The columns stand
 * here and not in the lists that the tables are written from: one that is added there would make questions of older tables.
 */

import { headerKey } from '../input/columns/known-names.ts';
import type { MadeTable } from '../messages/input.ts';
import { promisedColumns } from './columns.ts';

const tables: readonly (readonly [what: MadeTable, columns: readonly string[]])[] = [
  ['report', promisedColumns],
  ['manifest', ['path', 'id', 'question', 'title', 'sha256', 'row', 'attempt', 'run']],
  ['marks', ['row', 'id', 'mark', 'note', 'attempt', 'status']],
  ['uncertain', ['id', 'task_id', 'created_after', 'created_before', 'question']],
];

/**
 * What the table with this header is; null for a file of questions. Only a header with all columns of such a table is meant,
 * in any order and among others: a user's own file may well have the columns `id`, `status` and `question`.
 */
export function madeTable(header: readonly string[]): MadeTable | null {
  const keys = new Set(header.map(headerKey));
  const found = tables.find(([, columns]) => columns.every((column) => keys.has(headerKey(column))));
  return found?.[0] ?? null;
}
