/**
 * Says what a command does that takes longer than two seconds: on a terminal as a bar with the time left, redrawn in its
 * line, elsewhere as a line a minute.
 */

import type { Message } from '../messages/message.ts';
import type { Phrases } from './phrases/phrases.ts';
import { renderBar, renderPercent } from './progress-bar.ts';
import { toTerminalText } from './terminal-text.ts';
import { cutText, textWidth } from './text-width.ts';
import { renderTime } from './times.ts';

/** Work that is over by then is not shown. */
const showAfterMs = 2_000;

const drawEveryMs = 250;
const lineEveryMs = 60_000;

/** Cells of the bar. */
const longestBar = 30;
const leastBar = 8;

/** Back to the start of the line, and all of it away. */
const clearLine = '\r\u001b[2K';

/** Work that lasts until it is disposed. */
export interface LongWork extends Disposable {
  /** So much of it is done; `total` is null where nobody knows how much there is. */
  done(count: number, total: number | null): void;
  /** Takes the line away until it is drawn again: something else is printed. */
  clear(): void;
}

/** Where it is shown. */
export interface WorkPlace {
  readonly say: Phrases;
  /** Columns of a terminal with cursor control; null elsewhere. */
  readonly columns: () => number | null;
  write(text: string): void;
  /** Epoch ms. */
  now(): number;
  /** Ms that pass, even where the clock is changed. */
  steady(): number;
}

/** Begins such work; one that is known to be long is shown at once. The work itself also reports that time has passed, as it may leave timers no turn. */
export function beginLongWork(what: Message, place: WorkPlace, isLong = false): LongWork {
  const { say, columns, write, now, steady } = place;
  // It names files.
  const name = toTerminalText(say.render(what));
  const startedAt = steady();
  let seen: { readonly count: number; readonly total: number | null } = { count: 0, total: null };
  let shownAt: number | null = null;
  let isShown = false;

  function clear(): void {
    if (isShown) write(clearLine);
    isShown = false;
  }

  function show(): void {
    const at = steady();
    const width = columns();
    const everyMs = width === null ? lineEveryMs : drawEveryMs;
    if (shownAt === null ? at - startedAt < (isLong ? 0 : showAfterMs) : at - shownAt < everyMs) return;
    shownAt = at;
    const elapsedMs = at - startedAt;
    if (width === null) {
      write(`${renderTime(now())}  ${[name, ...renderCourse({ ...seen, elapsedMs }, say)].join(' · ')}\n`);
      return;
    }
    write(clearLine + renderWork(name, { ...seen, elapsedMs }, width - 1, say));
    isShown = true;
  }

  if (isLong) show();
  const timer = setInterval(show, drawEveryMs).unref();
  return {
    done(count, total) {
      seen = { count, total: total === null ? null : Math.max(count, total) };
      show();
    },
    clear,
    [Symbol.dispose]() {
      clearInterval(timer);
      clear();
    },
  };
}

/** How far the work is. */
interface Course {
  readonly count: number;
  readonly total: number | null;
  readonly elapsedMs: number;
}

/** One line of at most so many columns; the bar goes first where there is no room. */
function renderWork(what: string, course: Course, width: number, say: Phrases): string {
  const { count, total } = course;
  const text = `${what}  ${renderCourse(course, say).join(say.between)}`;
  const room = width - textWidth(text) - '   100 %'.length;
  if (total === null || total === 0 || room < leastBar) return cutText(text, width);
  const [done = 0, rest = 0] = renderBar([count, total - count], Math.min(longestBar, room));
  return `${what}  ${'█'.repeat(done)}${'░'.repeat(rest)} ${renderPercent(count, total)}${text.slice(what.length)}`;
}

function renderCourse({ count, total, elapsedMs }: Course, { progress }: Phrases): readonly string[] {
  if (count === 0) return [progress.running(elapsedMs)];
  if (total === null) return [progress.soFar(count)];
  const leftMs = (elapsedMs * (total - count)) / count;
  return [progress.done(count, total), ...(leftMs === 0 ? [] : [progress.left(leftMs)])];
}
