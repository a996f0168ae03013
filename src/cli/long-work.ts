/** Says on standard error what a command does that takes a while. */

import type { Invocation } from '../app/options/invocation.ts';
import type { Options } from '../app/options/options.ts';
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
): LongWork {
  if (options.quiet === true || options.json === true) return silent;
  const work = beginLongWork(what, {
    say: phrasesOf(language),
    columns: () => (canMoveCursor() ? process.stderr.columns || 80 : null),
    write: (text) => process.stderr.write(text),
    now: systemClock.now,
    steady: systemClock.steady,
  });
  clearLineWith(work.clear);
  return work;
}

/** Says that a file is read, and how far that is once it takes long. */
export function readingWork(name: string, invocation: Invocation): LongWork {
  const what = message('work.reading', { name });
  printNotice(phrasesOf(invocation.language).told(what));
  return longWork(what, invocation);
}
