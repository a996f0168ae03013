/** Pure. Finds the row that names the columns below a title. */

import type { Field } from '../../money/question.ts';
import { undoDefuse } from '../../text/spreadsheet-text.ts';
import { findColumn, hasQuestion, mapColumns, noColumn } from './columns.ts';
import { isFieldName, ownFieldOf } from './known-names.ts';
import { likelyHeader } from './near-columns.ts';

/** The header is looked for in this many rows that are not empty. */
export const headerRowCount = 10;

/** So many titles may stand above a header of one cell: below more of them it is a word of a list. */
const mostTitles = 2;

/** A row as far as it matters here. */
export interface FirstRow {
  /** The names that its cells would give to columns. */
  readonly columns: readonly string[];
  /** Cells that are not empty. */
  readonly filled: number;
}

type Overrides = Readonly<Partial<Record<Field, string>>>;

/**
 * The place of the header among the first rows; null where none of them is one. Below the first row a cell such as `text`
 * may be a word of a question: there the header names two fields, or stands below titles of one cell each; one that is a
 * single cell itself then has the field's own name. A row that names two other fields is a header without a question, and
 * what follows are its rows.
 */
export function findHeader(rows: readonly FirstRow[], overrides: Overrides): number | null {
  const { question = noColumn } = overrides;
  for (const [at, { columns, filled }] of rows.entries()) {
    const { fields } = mapColumns(columns, overrides);
    const fieldCount = Object.keys(fields).length;
    if (!hasQuestion(fields)) {
      if (fieldCount > 1) return null;
      continue;
    }
    const isChosen = question !== noColumn && findColumn(columns, question) !== undefined;
    if (!isChosen && fieldCount === 1 && explainsColumns(columns, rows.slice(at + 1), fields)) continue;
    if (at === 0) return at;
    if (question !== noColumn && !isChosen) continue;
    if (fieldCount > 1) return at;
    const isBelowTitles = rows.slice(0, at).every((row) => row.filled <= 1 && !row.columns.some(isFieldName));
    const isWord =
      !isChosen && filled === 1 && (at > mostTitles || columns.every((name) => ownFieldOf(name) === null));
    if (isBelowTitles && !isWord) return at;
  }
  return null;
}

/**
 * True where a table says what columns mean, one below the other: `question | the text`, `answer | what is right`. Its
 * rows would be sent as questions.
 */
function explainsColumns(columns: readonly string[], below: readonly FirstRow[], fields: Overrides): boolean {
  const place = columns.findIndex((name) => Object.values(fields).includes(name));
  const rows = below.flatMap((row) => {
    const name = row.columns[place];
    return name === undefined ? [] : [{ name, isAlone: row.columns.filter(isFieldName).length === 1 }];
  });
  const explained = rows.flatMap(({ name, isAlone }) => {
    const field = ownFieldOf(name);
    return field === null || field === 'question' || !isAlone ? [] : [field];
  });
  return new Set(explained).size > 1 || (explained.length > 0 && explained.length === rows.length);
}

/** The first row that has a column for the question and is not taken for the header: its user may know better. */
export function doubtfulHeader(rows: readonly FirstRow[], overrides: Overrides): number | null {
  for (const [at, { columns }] of rows.entries()) {
    const { fields } = mapColumns(columns, overrides);
    if (hasQuestion(fields)) return at;
    if (Object.keys(fields).length > 1) return null;
  }
  return null;
}

/** Where no row is the header: the place of the row to complain about, and of one that could be the header; null for none. */
export function nearestHeader(
  rows: readonly FirstRow[],
  overrides: Overrides,
): { readonly at: number; readonly doubtful: number | null } {
  const at = likelyHeader(
    rows.map(({ columns }) => columns),
    overrides,
  );
  return { at, doubtful: doubtfulHeader(rows, overrides) };
}

/** A row of the file that is not empty. */
export interface FilledRow extends FirstRow {
  /** Its place among the records. */
  readonly at: number;
}

/** The first records that are not empty, as rows that may be the header. */
export function filledRows(records: readonly { readonly cells: readonly string[] }[]): readonly FilledRow[] {
  const rows: FilledRow[] = [];
  for (const [at, { cells }] of records.entries()) {
    const filled = cells.filter((cell) => cell.trim() !== '').length;
    if (filled > 0) rows.push({ at, columns: columnsOf(cells), filled });
    if (rows.length === headerRowCount) break;
  }
  return rows;
}

/** True for `sep=;`, by which spreadsheets are told the delimiter: it is no row. */
export function isSeparatorRow(cells: readonly string[]): boolean {
  return /^\s*sep=.?\s*$/i.test(cells.join(''));
}

/** The names in a header. Empty cells at its end are not columns; others are named by position. */
export function columnsOf(cells: readonly string[]): string[] {
  const named = cells.map(headerName);
  return named
    .slice(0, named.findLastIndex((name) => name !== '') + 1)
    .map((name, at) => (name === '' ? `column ${at + 1}` : name));
}

/**
 * The text of a header cell. In concatenated files it may begin with a byte order mark, which is trimmed like white
 * space.
 */
export function headerName(cell: string): string {
  return undoDefuse(cell.trim());
}
