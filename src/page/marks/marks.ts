/** The reviewer's marks: saved in the browser, by run, for all pages of that run. */

import { isEmpty, type Mark, standingAttempt, verdictNow } from './mark.ts';
import { type MarkBook, type MarkStorage, openShelf, ownStorage } from './mark-book.ts';
import { type ListedRow, type MarkableRows, readTable, renderTable } from './mark-table.ts';

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

/** `noted` receives each mark that this page changes. */
export function openMarks(
  run: string,
  rows: MarkableRows,
  storage: MarkStorage = ownStorage(),
  noted: (id: string, mark: Mark | null) => void = () => undefined,
): Marks {
  const shelf = openShelf(`batch marks ${run}`, storage);
  const listeners: (() => void)[] = [];
  let book: MarkBook = shelf.read() ?? new Map();
  /** Rows whose marks are only here. */
  const loose = new Set<string>();
  const changed = () => {
    for (const listener of listeners) listener();
  };
  /** Reads the storage again, so that marks saved in another tab are not overwritten. */
  const reread = () => {
    book = shelf.read() ?? book;
  };
  const change = (marks: Iterable<readonly [id: string, mark: Mark | null]>) => {
    reread();
    for (const [id, mark] of marks) {
      if (mark === null || isEmpty(mark)) book.delete(id);
      else book.set(id, mark);
      loose.add(id);
      noted(id, mark);
    }
    shelf.save(book);
    if (shelf.isKept) loose.clear();
    changed();
  };
  shelf.onOtherTab(() => {
    reread();
    changed();
  });
  return {
    get: (id) => book.get(id) ?? null,
    set: (id, mark) => change([[id, mark]]),
    get count() {
      return countOf(standingMarks(book, rows));
    },
    get isKept() {
      return shelf.isKept;
    },
    get isAtRisk() {
      return [...loose].some((id) => book.has(id));
    },
    exportCsv(listed) {
      loose.clear();
      return renderTable(run, listed, book);
    },
    importCsv(text) {
      const { taken, foreign } = readTable(text, run, rows);
      if (taken.size > 0) change(taken);
      for (const id of taken.keys()) loose.delete(id);
      return { taken: taken.size, foreign };
    },
    badIds: () => rowsToRedo(book, rows).map(({ id }) => id),
    get badAttempt() {
      return commonAttempt(rowsToRedo(book, rows));
    },
    get isBadCorrected() {
      return rowsToRedo(book, rows).some(({ mark }) => (mark.question ?? mark.answer) !== undefined);
    },
    replace(marks) {
      book = new Map([...marks].filter(([, mark]) => !isEmpty(mark)));
      changed();
    },
    onChange: (listener) => void listeners.push(listener),
  };
}

/** The marks of rows on this page, with the verdict on the attempt that stands for the row. */
function standingMarks(book: MarkBook, rows: MarkableRows) {
  return [...book].flatMap(([id, mark]) => {
    const row = rows.find(id);
    if (row === null) return [];
    return [{ id, mark, verdict: verdictNow(mark, standingAttempt(row, mark)), attempts: row.attempts }];
  });
}

/** Only the latest attempt can be followed by another. */
function rowsToRedo(book: MarkBook, rows: MarkableRows) {
  return standingMarks(book, rows).filter(
    ({ mark, verdict, attempts }) => verdict === 'bad' && verdictNow(mark, attempts) === 'bad',
  );
}

/** The latest attempt of all of these; null where they differ in it. */
function commonAttempt(rows: ReturnType<typeof rowsToRedo>): number | null {
  const [attempt = null, ...others] = new Set(rows.map(({ attempts }) => attempts));
  return others.length === 0 ? attempt : null;
}

function countOf(marks: ReturnType<typeof standingMarks>): Marks['count'] {
  return {
    good: marks.filter(({ verdict }) => verdict === 'good').length,
    bad: marks.filter(({ verdict }) => verdict === 'bad').length,
    noted: marks.filter(({ mark }) => mark.note !== '').length,
  };
}
