/** Says on standard error what a command does that takes a while. */

import type { Invocation } from '../app/options/invocation.ts';
import type { Options } from '../app/options/options.ts';
import { isLargeCheckpoint } from '../app/stores.ts';
import { systemClock } from '../app/system-clock.ts';
import { type Message, message } from '../messages/message.ts';
import { beginLongWork, type LongWork } from '../terminal/long-work.ts';
import { phrasesOf } from '../terminal/phrases/phrases.ts';
import { canMoveCursor, clearLineWith, printNotice } from './console.ts';

const silent: LongWork = { done: () => {}, clear: () => {}, [Symbol.dispose]: () => {} };

/** Begins such work; nothing is said of it with `--quiet`, nor where a program reads the result. */
export function longWork(
  what: Message,
  {
    options,
    language,
  }: Pick<Invocation, 'language'> & {
    readonly options: Pick<Options, 'quiet' | 'json'>;
  },
  isLong = false,
): LongWork {
  if (options.quiet === true || options.json === true) return silent;
  const place = {
    say: phrasesOf(language),
    columns: () => (canMoveCursor() ? process.stderr.columns || 80 : null),
    write: (text: string) => process.stderr.write(text),
    now: systemClock.now,
    steady: systemClock.steady,
  };
  const work = beginLongWork(what, place, isLong);
  clearLineWith(work.clear);
  return work;
}

/** The same for work that begins with a look into a run: a large checkpoint is checked before anything else gets a turn. */
export function longLook(
  what: Message,
  invocation: Parameters<typeof longWork>[1] & { out: string },
): LongWork {
  return longWork(what, invocation, isLargeCheckpoint(invocation.out));
}

/** Says that a file is read, and how far that is once it takes long. */
export function readingWork(name: string, invocation: Invocation): LongWork {
  const what = message('work.reading', { name });
  printNotice(phrasesOf(invocation.language).render(what));
  return longWork(what, invocation);
}

/** So many rows take seconds to save, in which nothing else gets a turn. */
const manyRows = 200_000;

/** What is done between the answer of the user and the session. */
interface Saving extends Disposable {
  /** A run is checked, and so many rows are saved. */
  begin(rows: number): void;
}

export function savingWork(invocation: Invocation): Saving {
  let work: LongWork | null = null;
  return {
    begin(rows) {
      work = longWork(message('work.saving'), invocation, rows >= manyRows);
    },
    [Symbol.dispose]: () => work?.[Symbol.dispose](),
  };
}
