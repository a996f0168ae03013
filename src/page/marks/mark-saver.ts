/**
 * Saves marks with the run, through the server of the page. What is not saved yet is kept in the browser, and sent again
 * until it is.
 */

import type { MarkBody } from '../../money/review/review-wire.ts';
import type { Mark } from './mark.ts';
import { type MarkStorage, packBook, parseBook } from './mark-book.ts';

/** What became of a mark that was sent: the run has it, refuses it, or was not reached. */
export type SendEnd = 'saved' | 'refused' | 'unreached';

/** What a saver needs from the browser. */
export interface SaverWorld {
  send(id: string, body: MarkBody): Promise<SendEnd>;
  /** Calls back after so many ms. */
  later(work: () => void, ms: number): void;
  readonly storage: MarkStorage;
}

/** Sends marks one after the other. */
export interface MarkSaver {
  /** Marks that are newer than those of the run. */
  readonly unsaved: ReadonlyMap<string, Mark>;
  /** True where the run refuses some of them. */
  readonly isRefused: boolean;
  /** True where some are refused, and from a save that did not reach the run until one does. */
  readonly hasFailed: boolean;
  /** False where the browser does not keep what is unsaved. */
  readonly isKept: boolean;
  save(id: string, mark: Mark | null): void;
  /** Sends at once what waits for a pause in typing. */
  flush(): void;
  /** Calls back when marks were saved, or could not be. */
  onEnd(listener: () => void): void;
}

/** A note is sent when the reviewer pauses. */
const pauseMs = 500;
const retryMs = 5_000;

const noMark: Mark = { verdict: null, note: '', attempt: 0 };

/** `name` is that of the run and the reviewer: what an earlier page could not save is sent first. */
export function createMarkSaver(name: string, { send, later, storage }: SaverWorld): MarkSaver {
  const key = `batch unsaved marks ${name}`;
  const unsaved = readBook(storage, key);
  const refused = new Map<string, Mark>();
  const listeners: (() => void)[] = [];
  let isKept = storage !== null;
  let isSending = false;
  let isReached = true;
  /** Only the latest wait counts. */
  let wait = 0;

  const keep = () => {
    try {
      storage?.setItem(key, packBook(unsaved));
      isKept = storage !== null;
    } catch {
      // Full or forbidden: they last as long as the page is open.
      isKept = false;
    }
  };
  const wish = (ms: number) => {
    wait += 1;
    const mine = wait;
    later(() => {
      if (mine === wait) void sendAll();
    }, ms);
  };
  const waiting = () => [...unsaved].filter(([id, mark]) => refused.get(id) !== mark);
  const sendAll = async () => {
    if (isSending) return;
    isSending = true;
    for (let [next] = waiting(); next !== undefined; [next] = waiting()) {
      const [id, mark] = next;
      const end = await send(id, bodyOf(mark));
      isReached = end !== 'unreached';
      if (!isReached) break;
      if (end === 'refused') refused.set(id, mark);
      // The reviewer may have changed it meanwhile.
      if (end === 'saved' && unsaved.get(id) === mark) unsaved.delete(id);
    }
    isSending = false;
    keep();
    for (const listener of listeners) listener();
    if (!isReached) wish(retryMs);
  };
  if (unsaved.size > 0) wish(0);
  const isRefused = () => unsaved.size > waiting().length;
  return {
    unsaved,
    get isRefused() {
      return isRefused();
    },
    get hasFailed() {
      return !isReached || isRefused();
    },
    get isKept() {
      return isKept;
    },
    save(id, mark) {
      // A mark that is taken back is sent too.
      unsaved.set(id, mark ?? noMark);
      keep();
      wish(pauseMs);
    },
    flush: () => void sendAll(),
    onEnd: (listener) => void listeners.push(listener),
  };
}

function readBook(storage: MarkStorage, key: string): Map<string, Mark> {
  try {
    return parseBook(storage?.getItem(key) ?? null);
  } catch {
    return new Map();
  }
}

function bodyOf({ verdict, note, attempt, question, answer, prefer }: Mark): MarkBody {
  return {
    mark: verdict ?? '',
    note,
    attempt: attempt ?? 0,
    question: question ?? null,
    answer: answer ?? null,
    ...(prefer === undefined ? {} : { prefer: prefer === 'latest' ? null : prefer }),
  };
}
