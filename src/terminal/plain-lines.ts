/** The lines of a run that goes on: to a log, a pipe, or a terminal without a live block. */

import { styleText } from 'node:util';
import { type Item, type Status, statuses } from '../core/item.ts';
import { countRows, type Ledger } from '../core/summary.ts';
import type { RunView } from '../ports.ts';
import { renderNumber, renderPoints } from './numbers.ts';
import { toTerminalText } from './terminal-text.ts';

/** How often a line of progress is written. */
const progressIntervalMs = 60_000;

/** Writes what a run says, one line each. */
export interface PlainLines {
  note(text: string): void;
  warn(text: string): void;
  changed(before: Item, after: Item): void;
  /** From now on the run's standing is written once a minute. */
  started(view: RunView): void;
  ended(): void;
}

/** `write` gets whole lines, without line end; `isColor` allows colours in them. */
export function createPlainLines(terminal: {
  readonly write: (line: string) => void;
  readonly isColor: boolean;
}): PlainLines {
  const { write, isColor } = terminal;
  const paint = (style: 'yellow' | 'dim', text: string): string =>
    isColor ? styleText(style, text, { validateStream: false }) : text;
  let timer: NodeJS.Timeout | undefined;

  return {
    note(text) {
      write(toTerminalText(text));
    },
    warn(text) {
      write(`${paint('yellow', 'warning:')} ${toTerminalText(text)}`);
    },
    changed() {},
    started(view) {
      const say = (): void =>
        write(`${paint('dim', renderTime(Date.now()))}  ${renderProgress(view.ledger)}`);
      timer = setInterval(say, progressIntervalMs);
    },
    ended() {
      clearInterval(timer);
    },
  };
}

/** Done is counted out of all rows, so it stands first, and what was not sent follows from the rest. */
const impliedStatuses: ReadonlySet<Status> = new Set<Status>(['completed', 'pending']);

/** Where a run stands: `1,204 of 3,000 done · 50 open · 11 failed · 12,040 points`. */
export function renderProgress(ledger: Ledger): string {
  const others = statuses.filter((status) => !impliedStatuses.has(status) && ledger.counts[status] > 0);
  return [
    `${renderNumber(ledger.counts.completed)} of ${renderNumber(countRows(ledger))} done`,
    ...others.map((status) => `${renderNumber(ledger.counts[status])} ${status}`),
    renderPoints(ledger.spent),
  ].join(' · ');
}

/** Hours and minutes of the local day. */
function renderTime(at: number): string {
  const time = new Date(at);
  return [time.getHours(), time.getMinutes()].map((part) => String(part).padStart(2, '0')).join(':');
}
