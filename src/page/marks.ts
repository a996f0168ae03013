/** The reviewer's marks: saved in the browser, by run, for all pages of that run. */

import { type MarkedRow, parseMarksTable, renderMarksTable } from '../core/marks-table.ts';

/** A verdict and a note. */
export interface Mark {
  readonly verdict: 'good' | 'bad' | null;
  readonly note: string;
  /** The attempt it was given to, 0 before the first; null where unknown. */
  readonly attempt: number | null;
}

/** The verdict of a mark on a row with this many attempts: one on an earlier attempt does not count. */
export function verdictNow(mark: Mark | null, attempts: number): Mark['verdict'] {
  return mark === null || isEarlier(mark, attempts) ? null : mark.verdict;
}

function isEarlier({ attempt }: Mark, attempts: number): boolean {
  return attempt !== null && attempt < attempts;
}

/** The verdict on an earlier attempt, and its number; null for none. */
export function verdictBefore(
  mark: Mark | null,
  attempts: number,
): { readonly verdict: 'good' | 'bad'; readonly attempt: number } | null {
  if (mark === null || mark.verdict === null || mark.attempt === null) return null;
  return isEarlier(mark, attempts) ? { verdict: mark.verdict, attempt: mark.attempt } : null;
}

/** The mark after a verdict on the current attempt. */
export function judged(mark: Mark | null, verdict: Mark['verdict'], attempts: number): Mark {
  return { verdict, note: mark?.note ?? '', attempt: attempts };
}

/** The mark with another note; a verdict stays with the attempt it was given to. */
export function annotated(mark: Mark | null, note: string, attempts: number): Mark {
  return mark === null || mark.verdict === null
    ? { verdict: null, note, attempt: attempts }
    : { ...mark, note };
}

/** The marks of one run. */
export interface Marks {
  get(id: string): Mark | null;
  set(id: string, mark: Mark | null): void;
  /** Rows whose latest attempt is marked, and rows with a note. */
  readonly count: { readonly good: number; readonly bad: number; readonly noted: number };
  /** The marks of these rows as a CSV file. */
  exportCsv(
    rows: Iterable<{ readonly row: number | null; readonly id: string; readonly status: string }>,
  ): string;
  /** Imports exported marks over existing ones. Returns how many it imported, and how many belong to no row. */
  importCsv(text: string): { readonly taken: number; readonly foreign: number };
  /** Rows whose latest attempt is marked bad, in the order they were marked. */
  badIds(): string[];
  /** Calls back after each change, including changes in another tab. */
  onChange(listener: () => void): void;
}

/** The saved marks: id -> mark. A Map, because an id may be any word. */
type Book = Map<string, Mark>;

/** Where marks are saved; null where the browser saves nothing. */
export type MarkStorage = Pick<Storage, 'getItem' | 'setItem'> | null;

/** How many attempts the row with this id has; null where no row has it. */
export type AttemptsOf = (id: string) => number | null;

export function openMarks(run: string, attemptsOf: AttemptsOf, storage: MarkStorage = ownStorage()): Marks {
  const name = `batch marks ${run}`;
  const listeners: (() => void)[] = [];
  let shelf = storage;
  let book: Book = new Map();
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
      if (mark === null || (mark.verdict === null && mark.note === '')) book.delete(id);
      else book.set(id, mark);
    }
    try {
      shelf?.setItem(
        name,
        JSON.stringify([...book].map(([id, mark]) => [id, mark.verdict, mark.note, mark.attempt])),
      );
    } catch {
      // Full or forbidden: from here on marks last as long as the page is open.
      shelf = null;
    }
    changed();
  };
  reread();
  if (typeof addEventListener === 'function') {
    addEventListener('storage', ({ key }) => {
      if (key !== name && key !== null) return;
      reread();
      changed();
    });
  }
  /** The marks of rows on this page, with their current verdict. */
  const marked = () =>
    [...book].flatMap(([id, mark]) => {
      const attempts = attemptsOf(id);
      return attempts === null ? [] : [{ id, note: mark.note, verdict: verdictNow(mark, attempts) }];
    });
  return {
    get: (id) => book.get(id) ?? null,
    set: (id, mark) => change([[id, mark]]),
    get count() {
      const marks = marked();
      return {
        good: marks.filter(({ verdict }) => verdict === 'good').length,
        bad: marks.filter(({ verdict }) => verdict === 'bad').length,
        noted: marks.filter(({ note }) => note !== '').length,
      };
    },
    exportCsv: (rows) => renderMarksTable(markedRows(rows, book)),
    importCsv(text) {
      const taken: Book = new Map();
      const foreign = new Set<string>();
      for (const { id, mark, note, attempt, unreadable } of parseMarksTable(text) ?? []) {
        const verdict = isVerdict(mark) ? mark : null;
        if (verdict === null && note === '') continue;
        const attempts = attemptsOf(id);
        if (attempts === null) foreign.add(id);
        // A verdict on an unknown attempt is not one on the latest: it would pay for its row again.
        else taken.set(id, { verdict, note, attempt: unreadable === null ? (attempt ?? attempts) : 0 });
      }
      if (taken.size > 0) change(taken);
      return { taken: taken.size, foreign: foreign.size };
    },
    badIds: () =>
      marked()
        .filter(({ verdict }) => verdict === 'bad')
        .map(({ id }) => id),
    onChange: (listener) => void listeners.push(listener),
  };
}

/** Access may throw where a page has no storage. */
function ownStorage(): MarkStorage {
  try {
    return globalThis.localStorage ?? null;
  } catch {
    return null;
  }
}

/** Foreign text contains no marks. */
function parseBook(text: string | null): Book {
  try {
    const entries = JSON.parse(text ?? '[]') as readonly (readonly [string, unknown, unknown, unknown])[];
    return new Map(
      entries.map(([id, verdict, note, attempt]) => [
        String(id),
        {
          verdict: isVerdict(verdict) ? verdict : null,
          note: typeof note === 'string' ? note : '',
          attempt: typeof attempt === 'number' ? attempt : null,
        },
      ]),
    );
  } catch {
    return new Map();
  }
}

function isVerdict(value: unknown): value is 'good' | 'bad' {
  return value === 'good' || value === 'bad';
}

function markedRows(
  rows: Iterable<{ readonly row: number | null; readonly id: string; readonly status: string }>,
  book: Book,
): MarkedRow[] {
  const marked: MarkedRow[] = [];
  for (const { row, id, status } of rows) {
    const mark = book.get(id);
    if (mark === undefined) continue;
    const { verdict, note, attempt } = mark;
    marked.push({ row, id, mark: verdict ?? '', note, attempt, status });
  }
  return marked;
}
