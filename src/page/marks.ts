/** What a reviewer notes of rows: kept in the browser, under the name of the run, for all pages of that run. */

import { type MarkedRow, parseMarksTable, renderMarksTable } from '../core/marks-table.ts';
import { shellPath, shellWord } from '../core/shell-word.ts';

/** A verdict and a note. */
export interface Mark {
  readonly verdict: 'good' | 'bad' | null;
  readonly note: string;
}

/** The marks of one run. */
export interface Marks {
  get(id: string): Mark | null;
  set(id: string, mark: Mark | null): void;
  /** Rows that are marked, and rows with a note. */
  readonly count: { readonly good: number; readonly bad: number; readonly noted: number };
  /** The marks of these rows as a CSV file. */
  exportCsv(
    rows: Iterable<{ readonly row: number | null; readonly id: string; readonly status: string }>,
  ): string;
  /** Takes the marks of an exported file over those that are here. Returns how many it took. */
  importCsv(text: string): number;
  /** In the order they were marked. */
  badIds(): string[];
  /** Calls back after each change, also one that was made in another tab. */
  onChange(listener: () => void): void;
}

/** What is kept: id -> verdict and note. A map of its own, because an id may be any word. */
type Book = Map<string, Mark>;

/** Where marks are kept; null where the browser keeps nothing. */
export type MarkStorage = Pick<Storage, 'getItem' | 'setItem'> | null;

/** The marks of this run. */
export function openMarks(run: string, storage: MarkStorage = ownStorage()): Marks {
  const name = `batch marks ${run}`;
  const listeners: (() => void)[] = [];
  let shelf = storage;
  let book: Book = new Map();
  const changed = () => {
    for (const listener of listeners) listener();
  };
  /** What another tab has saved is not written over. */
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
      shelf?.setItem(name, JSON.stringify([...book].map(([id, { verdict, note }]) => [id, verdict, note])));
    } catch {
      // Full, or forbidden: from here on they are kept as long as the page is open.
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
  const countOf = (isMeant: (mark: Mark) => boolean) => [...book.values()].filter(isMeant).length;
  return {
    get: (id) => book.get(id) ?? null,
    set: (id, mark) => change([[id, mark]]),
    get count() {
      return {
        good: countOf(({ verdict }) => verdict === 'good'),
        bad: countOf(({ verdict }) => verdict === 'bad'),
        noted: countOf(({ note }) => note !== ''),
      };
    },
    exportCsv: (rows) => renderMarksTable(markedRows(rows, book)),
    importCsv(text) {
      const marks = (parseMarksTable(text) ?? []).flatMap(({ id, mark, note }) => {
        const verdict = isVerdict(mark) ? mark : null;
        return verdict === null && note === '' ? [] : [[id, { verdict, note }] as const];
      });
      if (marks.length > 0) change(marks);
      return new Map(marks).size;
    },
    badIds: () => [...book].filter(([, { verdict }]) => verdict === 'bad').map(([id]) => id),
    onChange: (listener) => void listeners.push(listener),
  };
}

/** Asking for it may throw, where a page may keep nothing. */
function ownStorage(): MarkStorage {
  try {
    return globalThis.localStorage ?? null;
  } catch {
    return null;
  }
}

/** A text that is none of ours holds no marks. */
function parseBook(text: string | null): Book {
  try {
    const entries = JSON.parse(text ?? '[]') as readonly (readonly [string, unknown, unknown])[];
    return new Map(
      entries.map(([id, verdict, note]) => [
        String(id),
        { verdict: isVerdict(verdict) ? verdict : null, note: typeof note === 'string' ? note : '' },
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
    if (mark !== undefined) marked.push({ row, id, mark: mark.verdict ?? '', note: mark.note, status });
  }
  return marked;
}

/** The name under which marks are exported. */
export const marksFile = 'marks.csv';

/** A longer command than this is no good to copy. */
const commandMaxLength = 1_000;

/** The command that makes these rows again; by the exported file where they are many, or a list cannot name one of them. */
export function retryCommand(out: string, ids: readonly string[]): string {
  const list = ids.map((id) => (id.startsWith('@') ? `@${id}` : id)).join(',');
  const isListed = list.length <= commandMaxLength && ids.every((id) => !/[,\r\n]|^\s|\s$|^$/.test(id));
  return `batch retry ${shellPath(out)} --only ${isListed ? shellWord(list) : `@${marksFile}`}`;
}
