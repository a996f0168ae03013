/** The marks of a run as a table, which a reviewer sends to others. */

import {
  type MarkedRow,
  parseAttempt,
  parseMarksTable,
  type ReadMark,
  renderMarksTable,
} from '../../money/review/marks-table.ts';
import type { PageRow } from '../../reports/page-wire.ts';
import { isOfRun, parseRowKey, writeRowKey } from '../../text/ids/row-key.ts';
import { isEmpty, type Mark, type MarkableRow } from './mark.ts';
import { isVerdict, type MarkBook } from './mark-book.ts';

/** What a table of marks says of a row. */
export type ListedRow = Pick<PageRow, 'key' | 'row' | 'id' | 'status' | 'question' | 'attempts' | 'token'>;

/** The rows of the page; null where there is none. */
export interface MarkableRows {
  find(id: string): MarkableRow | null;
  /** By the key of its item. */
  get(key: number): Pick<PageRow, 'id'> | null;
}

/** The marks of these rows. */
export function renderTable(run: string, rows: Iterable<ListedRow>, book: MarkBook): string {
  const marked: MarkedRow[] = [];
  for (const { key, row, id, status, question: own, attempts, token } of rows) {
    const mark = book.get(id);
    if (mark === undefined) continue;
    const { verdict, note, attempt, question = null, answer = null, prefer = null } = mark;
    const of = attempt ?? 0;
    const batch = writeRowKey(run, { key, attempt: of, token: of === attempts ? token : '' }, own);
    marked.push({ row, id, mark: verdict ?? '', note, attempt, status, question, answer, prefer, batch });
  }
  return renderMarksTable(marked);
}

/** The marks of a table on rows of this page, and how many lines are of other rows. */
export function readTable(
  text: string,
  run: string,
  rows: MarkableRows,
): { readonly taken: MarkBook; readonly foreign: number } {
  const taken: MarkBook = new Map();
  const foreign = new Set<string>();
  for (const read of parseMarksTable(text)?.rows ?? []) {
    const id = idOf(read, run, rows);
    const row = id === null ? null : rows.find(id);
    const mark = markOf(read, row);
    if (isEmpty(mark)) continue;
    if (id === null || row === null) foreign.add(read.key ?? read.id);
    else taken.set(id, mark);
  }
  return { taken, foreign: foreign.size };
}

/** A line with a key is the row of its key, whatever a spreadsheet made of the id; null for a row of another run. */
function idOf({ id, key: cell }: ReadMark, run: string, rows: MarkableRows): string | null {
  const key = parseRowKey(cell ?? '');
  if (key === null) return id;
  return isOfRun(key, run) ? (rows.get(key.item)?.id ?? null) : null;
}

/** The mark of a line in a table. */
function markOf(read: ReadMark, row: MarkableRow | null): Mark {
  const { mark, note, attempt, unreadable, question, answer } = read;
  const prefer = parsePreference(read.prefer);
  return {
    verdict: isVerdict(mark) ? mark : null,
    note,
    // A verdict on an unknown attempt is not one on the latest: it would pay for its row again.
    attempt: unreadable === null ? (attempt ?? row?.attempts ?? null) : 0,
    ...(question === null ? {} : { question }),
    ...(answer === null ? {} : { answer }),
    ...(prefer === null ? {} : { prefer }),
  };
}

function parsePreference(cell: string): number | 'latest' | null {
  return cell.toLowerCase() === 'latest' ? 'latest' : cell === '' ? null : parseAttempt(cell);
}
