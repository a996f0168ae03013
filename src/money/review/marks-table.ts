/**
 * Pure. The table of a reviewer's marks: written by the page, edited in spreadsheets, read by the page and by `--only @FILE`.
 * Spreadsheets may change its delimiters and line ends.
 */

import { filledKeyColumn, keyName, parseRowKey, textMark } from '../../text/ids/row-key.ts';
import { defuse, undoDefuse } from '../../text/spreadsheet-text.ts';
import { parseCells } from '../../text/table-cells.ts';

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
  /** Corrected texts; absent or null where they are right. */
  readonly question?: string | null;
  readonly answer?: string | null;
  /** The attempt whose video is to stand for the row, or the latest; absent or null where none was chosen. */
  readonly prefer?: number | 'latest' | null;
  /** The name of the reviewer; absent or '' where nobody gave one. */
  readonly reviewer?: string;
  /** The key of the row; absent or '' where none is known. */
  readonly batch?: string;
}

/** The first columns of every table of marks. */
export const markColumns = ['row', 'id', 'mark', 'note', 'attempt', 'status'] as const;

/** In a table only where a row has something in them: most people who open one need the others alone. */
const rareColumns = ['question', 'answer', 'prefer', 'reviewer', keyName] as const;

/** The table as a file: with a byte order mark, so that spreadsheets read it as UTF-8, and with formulas defused. */
export function renderMarksTable(rows: readonly MarkedRow[]): string {
  const rare = rareColumns.filter((column) => rows.some((row) => (row[column] ?? '') !== ''));
  const used = [...markColumns, ...rare];
  const lines = [used, ...rows.map((row) => used.map((column) => quote(String(row[column] ?? ''))))];
  return `\ufeff${lines.map((cells) => `${cells.join(',')}\r\n`).join('')}`;
}

function quote(cell: string): string {
  const safe = defuse(cell);
  return /[",;\t\r\n]|^\s|\s$/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** Words of reviewers, in lower case, and what they say. */
const verdicts: Readonly<Record<'good' | 'bad', readonly string[]>> = {
  good: ['good', '好', '通过'],
  bad: ['bad', '坏', '差', '不好', '重做'],
};

/** `good` or `bad` for any of its words; other words as they are, in lower case. */
function verdictOf(cell: string): string {
  const word = cell.normalize('NFKC').trim().toLowerCase();
  return verdicts.good.includes(word) ? 'good' : verdicts.bad.includes(word) ? 'bad' : word;
}

/** True for a mark that says nothing, or what is known. */
export function isKnownMark(mark: string | null): boolean {
  return mark === null || mark === '' || mark === 'good' || mark === 'bad';
}

/** One row of a table. */
export interface ReadMark {
  /** As the table has it; '' where only a key names the row. */
  readonly id: string;
  /** The cell of the column `batch`; null where it is empty, or the table has none. */
  readonly key: string | null;
  /** `good`, `bad`, '' for none, or an unknown word; null where the table has no such column. */
  readonly mark: string | null;
  readonly note: string;
  /** The attempt the mark is about, by its cell or else by the key; null where the table does not say. */
  readonly attempt: number | null;
  /**
   * The content of the attempt cell where it is not an attempt number; null where nothing is wrong. `attempt` is then
   * null too.
   */
  readonly unreadable: string | null;
  /** Corrected texts; null where the cell is blank or as it was written, or the table has no such column. */
  readonly question: string | null;
  readonly answer: string | null;
  /** The content of the cell `prefer`: an attempt as `parseAttempt` reads it, `latest`, or ''. */
  readonly prefer: string;
  /** '' where the table does not say. */
  readonly reviewer: string;
  /** Data row from 1, as text; '' where the table does not say. */
  readonly row: string;
  readonly status: string;
  /** What is wrong with the line, so that its texts may not be what was written; null for nothing. */
  readonly broken: 'quote' | 'cells' | 'character' | 'attempt' | null;
  /** Line of the table where the row starts, from 1. */
  readonly line: number;
}

/** A table with a column of ids, or of keys. */
export interface MarksTable {
  /** In lower case. */
  readonly columns: readonly string[];
  /** True where lines have keys of a run. */
  readonly isKeyed: boolean;
  readonly rows: readonly ReadMark[];
}

/** Null for any other text. */
export function parseMarksTable(text: string): MarksTable | null {
  for (const delimiter of [',', ';', '\t']) {
    const table = parseCells(text.replace(/^\ufeff/, ''), delimiter);
    const header = table.slice(0, 1).flatMap(({ cells }) => cells.map((each) => each.trim().toLowerCase()));
    const keyAt = filledKeyColumn(
      header,
      table.slice(1).map(({ cells }) => cells),
    );
    const place = (name: string): number => (name === keyName ? keyAt : header.indexOf(name));
    if (place('id') < 0 && keyAt < 0) continue;
    const rows = table.slice(1).flatMap(({ cells, line, isOpen }) => {
      const cell = (name: string): string => undoDefuse(cells[place(name)] ?? '');
      const text = (name: string): string | null => (cell(name).trim() === '' ? null : cell(name));
      const id = cell('id').trim();
      const key = cell(keyName).trim() || null;
      const mark = place('mark') < 0 ? null : verdictOf(cell('mark'));
      const written = cell('attempt').trim();
      const known = parseRowKey(key ?? '');
      const attempt = written === '' ? (known?.attempt ?? null) : parseAttempt(written);
      const unreadable = attempt === null && written !== '' ? written : null;
      const isOther =
        attempt !== null && known !== null && known.attempt !== null && known.attempt !== attempt;
      const isOverlong = cells.slice(header.length).some((each) => each.trim() !== '');
      // The text that the line was written with corrects nothing, as in a report with a column of marks.
      const isOwn = known !== null && textMark(text('question') ?? '') === known.text;
      const texts = { question: isOwn ? null : text('question'), answer: text('answer') };
      const more = { prefer: cell('prefer').trim(), reviewer: cell('reviewer').trim() };
      const where = { row: cell('row').trim(), status: cell('status').trim() };
      const isLegible = !/[\0\ufffd]/.test(`${texts.question ?? ''}${texts.answer ?? ''}`);
      const isMoved = isOther && isLegible;
      const broken: ReadMark['broken'] = isOpen
        ? 'quote'
        : isOverlong
          ? 'cells'
          : isMoved
            ? 'attempt'
            : isLegible
              ? null
              : 'character';
      return id === '' && key === null
        ? []
        : [
            {
              id,
              key,
              mark,
              broken,
              note: cell('note'),
              attempt,
              unreadable,
              ...texts,
              ...more,
              ...where,
              line,
            },
          ];
    });
    return { columns: header, isKeyed: keyAt >= 0, rows };
  }
  return null;
}

/**
 * The attempt number in any form a spreadsheet saves: `1.0`, `1,00`, `1.`, `1E+00`, full-width digits. Null for
 * anything else, including `1.000`: that is one or a thousand, and a wrong guess may pay for a row twice.
 */
export function parseAttempt(cell: string): number | null {
  const text = cell.normalize('NFKC').trim().replace(',', '.');
  if (!/^\d+(\.\d*)?(E[+-]?\d{1,3})?$/i.test(text) || /^\d+\.000$/.test(text)) return null;
  const attempt = Number(text);
  return Number.isInteger(attempt) && attempt <= attemptMax ? attempt : null;
}

/** More attempts than any row will have. */
const attemptMax = 999_999_999;
