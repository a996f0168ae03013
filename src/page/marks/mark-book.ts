/** Marks as a browser keeps them: a text. */

import type { Mark } from './mark.ts';

/** Marks by the id of their row. A Map, because an id may be any word. */
export type MarkBook = Map<string, Mark>;

/** Where marks are kept; null where the browser keeps nothing. */
export type MarkStorage = Pick<Storage, 'getItem' | 'setItem'> | null;

/** Access may throw where a page has no storage. */
export function ownStorage(): MarkStorage {
  try {
    return globalThis.localStorage ?? null;
  } catch {
    return null;
  }
}

/** The marks of one run in the browser, until it refuses them: full or forbidden. */
export interface MarkShelf {
  readonly isKept: boolean;
  /** Null where nothing can be read. */
  read(): MarkBook | null;
  save(book: MarkBook): void;
  /** Calls back when another tab has saved marks. */
  onOtherTab(listener: () => void): void;
}

/** `name` is that of the marks in the browser. */
export function openShelf(name: string, storage: MarkStorage): MarkShelf {
  let shelf = storage;
  const tryIt = <T>(work: (shelf: NonNullable<MarkStorage>) => T): T | null => {
    try {
      return shelf === null ? null : work(shelf);
    } catch {
      shelf = null;
      return null;
    }
  };
  return {
    get isKept() {
      return shelf !== null;
    },
    read: () => tryIt((shelf) => parseBook(shelf.getItem(name))),
    save: (book) => void tryIt((shelf) => shelf.setItem(name, packBook(book))),
    onOtherTab(listener) {
      if (typeof addEventListener !== 'function') return;
      addEventListener('storage', ({ key }) => {
        if (key === name || key === null) listener();
      });
    },
  };
}

/** The marks as one text. */
export function packBook(book: MarkBook): string {
  return JSON.stringify([...book].map(packMark));
}

/** As it is saved in the browser: a list, of which the end may be missing. */
function packMark([id, { verdict, note, attempt, question, answer, prefer }]: readonly [string, Mark]) {
  const more = [question ?? null, answer ?? null, prefer ?? null];
  return [id, verdict, note, attempt, ...(more.every((one) => one === null) ? [] : more)];
}

/** Foreign text contains no marks. */
export function parseBook(text: string | null): MarkBook {
  try {
    const entries = JSON.parse(text ?? '[]') as readonly (readonly [string, ...unknown[]])[];
    return new Map(
      entries.map(([id, verdict, note, attempt, question, answer, prefer]) => [
        String(id),
        {
          verdict: isVerdict(verdict) ? verdict : null,
          note: typeof note === 'string' ? note : '',
          attempt: typeof attempt === 'number' ? attempt : null,
          ...(typeof question === 'string' ? { question } : {}),
          ...(typeof answer === 'string' ? { answer } : {}),
          ...(typeof prefer === 'number' || prefer === 'latest' ? { prefer } : {}),
        },
      ]),
    );
  } catch {
    return new Map();
  }
}

export function isVerdict(value: unknown): value is 'good' | 'bad' {
  return value === 'good' || value === 'bad';
}
