/**
 * The table of a reviewer's marks: written by the page, edited in spreadsheets, read by the page and by `--only @FILE`.
 * Spreadsheets may change its delimiters and line ends.
 */

import { defuse, undoDefuse } from './text/spreadsheet-text.ts';
import { parseCells } from './text/table-cells.ts';

/** One marked row. */
export interface MarkedRow {
  /** Data row from 1; null for a row that is no longer in the input. */
  readonly row: number | null;
  readonly id: string;
  /** `good`, `bad`, or '' for a note without a mark. */
  readonly mark: string;
  readonly note: string;
  /** The attempt the mark is about, from 1; 0 before the first, null where unknown. */
  readonly attempt: number | null;
  /** The status of the row. */
  readonly status: string;
}

const columns = ['row', 'id', 'mark', 'note', 'attempt', 'status'] as const;

/** The table as a file: with a byte order mark, so that spreadsheets read it as UTF-8, and with formulas defused. */
export function renderMarksTable(rows: readonly MarkedRow[]): string {
  const lines = [columns, ...rows.map((row) => columns.map((column) => quote(String(row[column] ?? ''))))];
  return `\ufeff${lines.map((cells) => `${cells.join(',')}\r\n`).join('')}`;
}

function quote(cell: string): string {
  const safe = defuse(cell);
  return /[",;\t\r\n]|^\s|\s$/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** One row of a table. */
export interface ReadMark {
  readonly id: string;
  /** In lower case; null where the table has no such column. */
  readonly mark: string | null;
  readonly note: string;
  /** The attempt the mark is about; null where the table does not say. */
  readonly attempt: number | null;
  /**
   * The content of the attempt cell where it is not an attempt number; null where nothing is wrong. `attempt` is then
   * null too.
   */
  readonly unreadable: string | null;
  /** Line of the table where the row starts, from 1. */
  readonly line: number;
}

/** The rows of a table that has an id column; null for any other text. */
export function parseMarksTable(text: string): readonly ReadMark[] | null {
  for (const delimiter of [',', ';', '\t']) {
    const table = parseCells(text.replace(/^\ufeff/, ''), delimiter);
    const header = table.slice(0, 1).flatMap(({ cells }) => cells.map((each) => each.trim().toLowerCase()));
    const place = (name: string): number => header.indexOf(name);
    const [idAt, markAt, noteAt, attemptAt] = [place('id'), place('mark'), place('note'), place('attempt')];
    if (idAt < 0) continue;
    return table.slice(1).flatMap(({ cells, line }) => {
      const cell = (at: number): string => undoDefuse(cells[at] ?? '');
      const id = cell(idAt).trim();
      const mark = markAt < 0 ? null : cell(markAt).trim().toLowerCase();
      const written = cell(attemptAt).trim();
      const attempt = parseAttempt(written);
      const unreadable = attempt === null && written !== '' ? written : null;
      return id === '' ? [] : [{ id, mark, note: cell(noteAt), attempt, unreadable, line }];
    });
  }
  return null;
}

/**
 * The attempt number in any form a spreadsheet saves: `1.0`, `1,00`, `1.`, `1E+00`, full-width digits. Null for
 * anything else, including `1.000`: that is one or a thousand, and a wrong guess may pay for a row twice.
 */
function parseAttempt(cell: string): number | null {
  const text = cell.normalize('NFKC').trim().replace(',', '.');
  if (!/^\d+(\.\d*)?(E[+-]?\d{1,3})?$/i.test(text) || /^\d+\.000$/.test(text)) return null;
  const attempt = Number(text);
  return Number.isInteger(attempt) && attempt <= attemptMax ? attempt : null;
}

/** More attempts than any row will have. */
const attemptMax = 999_999_999;
