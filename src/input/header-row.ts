/** Finds the row that names the columns below a title. */

import type { Field } from '../money/question.ts';
import { findColumn, hasQuestion, mapColumns, noColumn } from './columns.ts';

/** The header is looked for in this many rows that are not empty. */
export const headerRowCount = 10;

/** A row as far as it matters here. */
export interface FirstRow {
  /** The names that its cells would give to columns. */
  readonly columns: readonly string[];
  /** Cells that are not empty. */
  readonly filled: number;
}

/**
 * The place of the header among the first rows; null where none of them is one. Below the first row a cell such as `text`
 * may be a word of a question: there the header names two fields, or stands below titles of one cell each. A row that
 * names two other fields is a header without a question, and what follows are its rows.
 */
export function findHeader(
  rows: readonly FirstRow[],
  overrides: Readonly<Partial<Record<Field, string>>>,
): number | null {
  const { question = noColumn } = overrides;
  for (const [at, { columns }] of rows.entries()) {
    const { fields } = mapColumns(columns, overrides);
    const fieldCount = Object.keys(fields).length;
    if (!hasQuestion(fields)) {
      if (fieldCount > 1) return null;
      continue;
    }
    if (at === 0) return at;
    if (question !== noColumn && findColumn(columns, question) === undefined) continue;
    if (fieldCount > 1 || rows.slice(0, at).every(({ filled }) => filled <= 1)) return at;
  }
  return null;
}
