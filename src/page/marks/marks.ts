/** The reviewer's marks: saved in the browser, by run, for all pages of that run. */

import {
  type MarkedRow,
  parseAttempt,
  parseMarksTable,
  type ReadMark,
  renderMarksTable,
} from '../../money/review/marks-table.ts';
import type { PageRow } from '../../reports/page-wire.ts';
import { isOfRun, parseRowKey, renderRowKey } from '../../text/ids/row-key.ts';
import { isEmpty, type Mark, type MarkableRow, standingAttempt, verdictNow } from './mark.ts';
import { isVerdict, type MarkBook, type MarkStorage, ownStorage, packBook, parseBook } from './mark-book.ts';

/** What a table of marks says of a row. */
type ListedRow = Pick<PageRow, 'key' | 'row' | 'id' | 'status' | 'question'>;

/** The marks of one run. */
export interface Marks {
  get(id: string): Mark | null;
  set(id: string, mark: Mark | null): void;
  /** Rows whose standing attempt is marked, and rows with a note. */
  readonly count: { readonly good: number; readonly bad: number; readonly noted: number };
  /** False where the browser keeps none: they end with the page. */
  readonly isKept: boolean;
  /** True where there are marks that neither the browser nor a file has: closing the page loses them. */
  readonly isAtRisk: boolean;
  /** The marks of these rows as a CSV file; from then on the file has them. */
  exportCsv(rows: Iterable<ListedRow>): string;
  /** Imports exported marks over existing ones. Returns how many it imported, and how many belong to no row. */
  importCsv(text: string): { readonly taken: number; readonly foreign: number };
  /** Rows whose latest attempt is marked bad, in the order they were marked. */
  badIds(): string[];
  /** The latest attempt of these rows; null where they differ in it. */
  readonly badAttempt: number | null;
  /** True where one of these rows has a corrected text. */
  readonly isBadCorrected: boolean;
  /** Replaces all marks by these, which are saved elsewhere. */
  replace(marks: ReadonlyMap<string, Mark>): void;
  /** Calls back after each change, including changes in another tab. */
  onChange(listener: () => void): void;
}

/** The rows of the page; null where there is none. */
export interface MarkableRows {
  find(id: string): MarkableRow | null;
  /** By the key of its item. */
  get(key: number): Pick<PageRow, 'id'> | null;
}

/** `noted` hears of each mark that this page changes. */
export function openMarks(
  run: string,
  rows: MarkableRows,
  storage: MarkStorage = ownStorage(),
  noted: (id: string, mark: Mark | null) => void = () => undefined,
): Marks {
  const name = `batch marks ${run}`;
  const listeners: (() => void)[] = [];
  let shelf = storage;
  let book: MarkBook = new Map();
  /** Rows whose marks are only here. */
  const loose = new Set<string>();
  const changed = () => {
    for (const listener of listeners) listener();
  };
  /** Reads the storage again, so that marks saved in another tab are not overwritten. */
  const reread = () => {
    try {
      book = shelf === null ? book : parseBook(shelf.getItem(name));
    } catch {
      shelf = null;
    }
  };
  const change = (marks: Iterable<readonly [id: string, mark: Mark | null]>) => {
    reread();
    for (const [id, mark] of marks) {
      if (mark === null || isEmpty(mark)) book.delete(id);
      else book.set(id, mark);
      loose.add(id);
      noted(id, mark);
    }
    try {
      if (shelf !== null) {
        shelf.setItem(name, packBook(book));
        loose.clear();
      }
    } catch {
      // Full or forbidden: from here on marks last as long as the page is open.
      shelf = null;
    }
    changed();
  };
  /** A line with a key is the row of its key, whatever a spreadsheet made of the id; null for a row of another run. */
  const idOf = ({ id, key: cell }: ReadMark): string | null => {
    const key = parseRowKey(cell ?? '');
    if (key === null) return id;
    return isOfRun(key, run) ? (rows.get(key.item)?.id ?? null) : null;
  };
  reread();
  if (typeof addEventListener === 'function') {
    addEventListener('storage', ({ key }) => {
      if (key !== name && key !== null) return;
      reread();
      changed();
    });
  }
  /** The marks of rows on this page, with the verdict on the attempt that stands for the row. */
  const marked = () =>
    [...book].flatMap(([id, mark]) => {
      const row = rows.find(id);
      if (row === null) return [];
      const verdict = verdictNow(mark, standingAttempt(row, mark));
      // Only the latest attempt can be followed by another.
      const isToRedo = verdict === 'bad' && verdictNow(mark, row.attempts) === 'bad';
      return [{ id, mark, verdict, isToRedo, attempts: row.attempts }];
    });
  return {
    get: (id) => book.get(id) ?? null,
    set: (id, mark) => change([[id, mark]]),
    get count() {
      const marks = marked();
      return {
        good: marks.filter(({ verdict }) => verdict === 'good').length,
        bad: marks.filter(({ verdict }) => verdict === 'bad').length,
        noted: marks.filter(({ mark }) => mark.note !== '').length,
      };
    },
    get isKept() {
      return shelf !== null;
    },
    get isAtRisk() {
      return [...loose].some((id) => book.has(id));
    },
    exportCsv(listed) {
      loose.clear();
      return renderMarksTable(markedRows(run, listed, book));
    },
    importCsv(text) {
      const taken: MarkBook = new Map();
      const foreign = new Set<string>();
      for (const read of parseMarksTable(text) ?? []) {
        const id = idOf(read);
        const row = id === null ? null : rows.find(id);
        const mark = markOf(read, row);
        if (isEmpty(mark)) continue;
        if (id === null || row === null) foreign.add(read.key ?? read.id);
        else taken.set(id, mark);
      }
      if (taken.size > 0) change(taken);
      for (const id of taken.keys()) loose.delete(id);
      return { taken: taken.size, foreign: foreign.size };
    },
    badIds: () =>
      marked()
        .filter(({ isToRedo }) => isToRedo)
        .map(({ id }) => id),
    get badAttempt() {
      const attempts = new Set(marked().flatMap((row) => (row.isToRedo ? [row.attempts] : [])));
      const [attempt = null] = attempts;
      return attempts.size === 1 ? attempt : null;
    },
    get isBadCorrected() {
      return marked().some(({ isToRedo, mark }) => isToRedo && (mark.question ?? mark.answer) !== undefined);
    },
    replace(marks) {
      book = new Map([...marks].filter(([, mark]) => !isEmpty(mark)));
      changed();
    },
    onChange: (listener) => void listeners.push(listener),
  };
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

function markedRows(run: string, rows: Iterable<ListedRow>, book: MarkBook): MarkedRow[] {
  const marked: MarkedRow[] = [];
  for (const { key, row, id, status, question: own } of rows) {
    const mark = book.get(id);
    if (mark === undefined) continue;
    const { verdict, note, attempt, question = null, answer = null, prefer = null } = mark;
    const batch = renderRowKey(run, key, own);
    marked.push({ row, id, mark: verdict ?? '', note, attempt, status, question, answer, prefer, batch });
  }
  return marked;
}
