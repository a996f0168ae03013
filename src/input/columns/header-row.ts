/** Pure. Finds the row that names the columns below a title. */

import type { Field } from '../../money/question.ts';
import { storable } from '../../text/cells/storable-text.ts';
import { undoDefuse } from '../../text/spreadsheet-text.ts';
import { findColumn, hasQuestion, mapColumns, noColumn } from './columns.ts';
import { isFieldName, meaningOf, ownFieldOf } from './known-names.ts';
import { likelyHeader } from './near-columns.ts';

/** The header is looked for in this many rows that are not empty. */
export const headerRowCount = 10;

/** So many titles may stand above a header of one cell: below more of them it is a word of a list. */
const mostTitles = 2;

/** A title that is a known word, or a label with its value: `题目`, `Questions | Final exam`. */
const labelCells = 2;

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
  /** Where a table that says what columns mean has their names. */
  let explained: number | null = null;
  for (const [at, { columns, filled }] of rows.entries()) {
    const { fields } = mapColumns(columns, overrides);
    const fieldCount = Object.keys(fields).length;
    if (!hasQuestion(fields)) {
      if (fieldCount > 1) return null;
      continue;
    }
    const isChosen = question !== noColumn && findColumn(columns, question) !== undefined;
    if (!isChosen && explained !== null && isExplained(columns, explained)) continue;
    if (!isChosen && fieldCount === 1 && explainsColumns(columns, rows.slice(at + 1), fields)) {
      explained = placeOf(columns, fields);
      continue;
    }
    if (!isChosen && fieldCount === 1 && filled <= labelCells) {
      const below = rows.slice(at + 1).findIndex((row) => isFuller(row, filled, overrides));
      if (below >= 0) return at + 1 + below;
    }
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

/** True for a header with more fields than a title has cells. */
function isFuller({ columns }: FirstRow, cells: number, overrides: Overrides): boolean {
  const { fields } = mapColumns(columns, overrides);
  return hasQuestion(fields) && Object.keys(fields).length > cells;
}

/**
 * True where a table says what columns mean, one below the other: `question | the text`, `answer | what is right`. Its
 * rows would be sent as questions. The name of the answer right below is enough, whatever the others are called.
 */
function explainsColumns(columns: readonly string[], below: readonly FirstRow[], fields: Overrides): boolean {
  const place = placeOf(columns, fields);
  const rows = below.flatMap(({ columns: cells }) => {
    const name = cells[place];
    if (name === undefined) return [];
    // `a` and `#` are cells as well.
    const field = name.length < 2 ? undefined : meaningOf(name)?.field;
    const hasOther = cells.some((other, at) => at !== place && ownFieldOf(other) !== null);
    return [
      { field: field === 'question' || hasOther ? undefined : field, isOwn: ownFieldOf(name) !== null },
    ];
  });
  const own = new Set(rows.map(({ field, isOwn }) => (isOwn ? field : undefined)));
  own.delete(undefined);
  if (columns.length > 1 && rows[0]?.field === 'answer') return true;
  return own.size > 1 || (rows.length > 0 && rows.every(({ field }) => field !== undefined));
}

function placeOf(columns: readonly string[], fields: Overrides): number {
  return columns.findIndex((name) => Object.values(fields).includes(name));
}

/** True for a row that has the name of a field there, and none elsewhere. */
function isExplained(columns: readonly string[], place: number): boolean {
  return columns.every((name, at) => (ownFieldOf(name) !== null) === (at === place));
}

function hasName({ columns }: FirstRow): boolean {
  return columns.some(isFieldName);
}

/** A row that could be the header and is not taken for it: its user may know better. */
export interface DoubtfulHeader {
  readonly at: number;
  /** The names of the other fields stand below it: the table lies on its side, or says what columns mean. */
  readonly isOnSide: boolean;
}

/** The first row that has a column for the question and is not taken for the header. */
export function doubtfulHeader(rows: readonly FirstRow[], overrides: Overrides): DoubtfulHeader | null {
  for (const [at, { columns }] of rows.entries()) {
    const { fields } = mapColumns(columns, overrides);
    if (hasQuestion(fields))
      return {
        at,
        isOnSide: explainsColumns(
          columns,
          [...rows.slice(0, at).filter(hasName), ...rows.slice(at + 1)],
          fields,
        ),
      };
    if (Object.keys(fields).length > 1) return null;
  }
  return null;
}

/** True for a row that names the question and another field: below the rows that are searched it may still be the header. */
export function isFullHeader(row: FirstRow, overrides: Overrides): boolean {
  return isFuller(row, 1, overrides);
}

/** Where no row is the header: the place of the row to complain about, and of one that could be the header; null for none. */
export function nearestHeader(
  rows: readonly FirstRow[],
  overrides: Overrides,
): { readonly at: number; readonly doubtful: DoubtfulHeader | null } {
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
export function filledRows(
  records: readonly { readonly cells: readonly string[] }[],
  most = headerRowCount,
): readonly FilledRow[] {
  const rows: FilledRow[] = [];
  for (const [at, { cells }] of records.entries()) {
    const filled = cells.filter((cell) => cell.trim() !== '').length;
    if (filled > 0) rows.push({ at, columns: columnsOf(cells), filled });
    if (rows.length === most) break;
  }
  return rows;
}

/** True for `sep=;`, which names the delimiter for spreadsheets: it is no row. */
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

/** A byte order mark that a program took for three letters. */
const misreadMark = /^(?:ï»¿)+/;

/**
 * The text of a header cell. In concatenated files it may begin with a byte order mark, which is trimmed like white
 * space. Every store can keep the name.
 */
export function headerName(cell: string): string {
  return storable(undoDefuse(cell.replace(misreadMark, '').trim()));
}
