/** The output of a run line by line: to a log, a pipe, or a terminal without a live block. */

import { styleText } from 'node:util';
import type { Said } from '../messages/message.ts';
import {
  createProgress,
  type EarlyStop,
  type Forecast,
  forecast,
  noteProgress,
  rowsForLater,
  rowsOfRun,
  surveyOpen,
} from '../money/forecast/progress.ts';
import { type Item, type Status, statuses } from '../money/item.ts';
import type { CrewView, RunView } from '../ports.ts';
import { asTyped, type RunWords } from '../text/run-words.ts';
import { renderCrewView } from './crew-lines.ts';
import { pausedMs, renderObstacle } from './obstacle-text.ts';
import type { Phrases } from './phrases/phrases.ts';
import { toTerminalText } from './terminal-text.ts';
import { renderTime } from './times.ts';

/** How often a progress line is written. */
const progressIntervalMs = 60_000;

/** Follows a run and shows its progress. */
export interface Display {
  /** `row` is set where the note is about a row that ended badly. */
  note(said: Said, row?: Item): void;
  warn(said: Said): void;
  /** Output the user asked for, shown even with --quiet. */
  say(text: string): void;
  changed(before: Item, after: Item): void;
  /** In a shared run: the workers as they are now. */
  crewSeen(crew: CrewView): void;
  /** From now on the run's progress is shown. */
  started(view: RunView): void;
  /** Another program has the terminal until the run continues. */
  suspended(): void;
  /** The run is over: restores the terminal. */
  ended(): void;
}

/** `write` receives whole lines, without line end; `isColor` allows colours in them. */
export function createPlainLines(terminal: {
  readonly write: (line: string) => void;
  readonly isColor: boolean;
  /** For commands in messages. */
  readonly words: RunWords;
  readonly say: Phrases;
  /** Epoch ms. */
  readonly now: () => number;
}): Display {
  const { write, isColor, say } = terminal;
  const progress = createProgress();
  let view: RunView | null = null;
  let crew: CrewView | null = null;
  let timer: NodeJS.Timeout | undefined;

  function sayProgress(seen: RunView): void {
    const now = terminal.now();
    const { ledger, policy, toSubmit } = seen;
    const { latestAt } = surveyOpen(seen.openItems(), 1);
    const rest = forecast(
      progress,
      { ledger, policy, toSubmit, latestAt, pausedMs: pausedMs(seen.obstacle, now) },
      now,
    );
    const obstacle = renderObstacle(seen.obstacle, now, terminal.words, say);
    const seenCrew = crew === null ? [] : [renderCrewView(crew, now, say)];
    const pauses = obstacle.length === 0 ? [] : [obstacle.join(' ')];
    const line = [renderProgress(seen, rest, now, say), ...seenCrew, ...pauses].join(' · ');
    write(
      `${isColor ? styleText('dim', renderTime(now), { validateStream: false }) : renderTime(now)}  ${line}`,
    );
  }

  return {
    note: (said) => write(renderNote(say.render(said))),
    warn: (said) => write(renderWarning(said, say, isColor)),
    say: (text) => write(renderNote(text)),
    changed(before, after) {
      if (view !== null) noteProgress(progress, before, after, { ledger: view.ledger, now: terminal.now() });
    },
    crewSeen(seen) {
      crew = seen;
    },
    started(started) {
      view = started;
      clearInterval(timer);
      timer = setInterval(() => sayProgress(started), progressIntervalMs).unref();
    },
    suspended() {},
    ended() {
      clearInterval(timer);
    },
  };
}

/** One line of output. */
export function renderNote(text: string): string {
  return toTerminalText(asTyped(text));
}

/** One line of output, with its label. */
export function renderWarning(text: Said, { progress, render }: Phrases, isColor = false): string {
  const label = progress.warning.trimEnd();
  const shown = isColor ? styleText('yellow', label, { validateStream: false }) : label;
  return `${shown}${progress.warning.slice(label.length)}${toTerminalText(asTyped(render(text)))}`;
}

/** When a run ends, and by what if not by its last row. */
export function renderEnd(
  { leftMs, stop }: { readonly leftMs: number; readonly stop: EarlyStop | null },
  now: number,
  { progress }: Phrases,
): string {
  const at = now + leftMs;
  return stop === null ? progress.doneAt(at, now) : progress.stopAt(stop.why, at, now, stop.rows);
}

/** The share of completed rows comes first and implies the rows not sent. */
const impliedStatuses: ReadonlySet<Status> = new Set<Status>(['completed', 'pending']);

/** The progress of a run: `1,204 of 3,000 done · 50 open · 11 failed · 12,040 points, about 29,900 in all · ...`. */
export function renderProgress(
  { ledger, toSubmit }: Pick<RunView, 'ledger' | 'toSubmit'>,
  { totalPoints, leftMs, stop }: Forecast,
  now: number,
  say: Phrases,
): string {
  const { progress, countOf, points, status: names } = say;
  const others = statuses.filter((status) => !impliedStatuses.has(status) && ledger.counts[status] > 0);
  const later = rowsForLater(ledger, toSubmit);
  return [
    progress.done(ledger.counts.completed, rowsOfRun(ledger, toSubmit)),
    ...others.map((status) => countOf(ledger.counts[status], names[status])),
    ...(later === 0 ? [] : [progress.later(later)]),
    progress.spentOf(points(ledger.spent), totalPoints === ledger.spent ? null : totalPoints),
    ...(leftMs === null || leftMs === 0
      ? []
      : [progress.leftUntil(leftMs, renderEnd({ leftMs, stop }, now, say))]),
  ].join(' · ');
}
