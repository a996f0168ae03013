/** Pure. Finds the header of a second table below the first, with its columns in another order. */

import type { Field, Source } from '../../money/question.ts';
import { meaningOf } from '../columns/known-names.ts';

/** Longer cells are no names of columns. */
const shortLength = 40;

/**
 * True where every cell of the row names a field, the question among them, and not all stand in their own columns: the rows
 * below it would be sent with their question as the answer.
 */
export function isOtherHeader(input: Readonly<Record<string, unknown>>, columnOf: Source['fields']): boolean {
  const { question } = columnOf;
  const start = question === undefined ? null : input[question];
  if (typeof start !== 'string' || start.length > shortLength || meaningOf(start) === undefined) return false;
  const mapped = Object.entries(columnOf) as [Field, string][];
  const cells = Object.entries(input).filter(([, cell]) => cell !== '');
  const named = cells.flatMap(([column, cell]) => {
    const field = typeof cell === 'string' && cell.length <= shortLength ? meaningOf(cell)?.field : undefined;
    return field === undefined ? [] : [{ field, column }];
  });
  const fields = new Set<Field>(named.map(({ field }) => field));
  if (fields.size < 2 || fields.size < named.length || !fields.has('question')) return false;
  const isWhole = named.length === cells.length || mapped.every(([field]) => fields.has(field));
  return isWhole && named.some(({ field, column }) => (columnOf[field] ?? column) !== column);
}
