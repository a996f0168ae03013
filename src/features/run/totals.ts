/** The closing lines of a run: what became of the rows, what it cost, why it stopped, what to do next. */

import { message, type Said } from '../../messages/message.ts';
import type { FailureGroups } from '../../money/failure-groups.ts';
import type { Forecast } from '../../money/forecast/progress.ts';
import { type Status, statuses } from '../../money/item.ts';
import { isHeld } from '../../money/reused.ts';
import { type SampleStanding, shareAtMost, wantedShare } from '../../money/review/watch-sample.ts';
import { hasMark, statusesWith } from '../../money/statuses.ts';
import { countRows, type EndingReason, type Ledger, reservedPoints } from '../../money/summary.ts';
import type { UncertainSlots } from '../../money/tick.ts';
import type { MoveMark } from '../../stores/port/archive.ts';
import type { HookCall, HookCounts } from '../../stores/port/hooks.ts';
import type { Holder } from '../../stores/port/store.ts';
import { type Crew, renderCrew } from '../../terminal/crew-lines.ts';
import { failureLines, renderFailures, reportPath } from '../../terminal/failure-lines.ts';
import { renderPlainBar } from '../../terminal/live-block.ts';
import { type EndState, type NextStep, nextSteps, type StoppedCommand } from '../../terminal/next-steps.ts';
import type { Offers } from '../../terminal/offers.ts';
import type { Phrases } from '../../terminal/phrases/phrases.ts';
import { renderEnd } from '../../terminal/plain-lines.ts';
import { toTerminalLine } from '../../terminal/terminal-text.ts';
import { textWidth } from '../../terminal/text-width.ts';
import { renderTime } from '../../terminal/times.ts';
import { roomFor, wrapAfter } from '../../terminal/wrap-lines.ts';
import { collectCalls, type RunWords } from '../../text/run-words.ts';
import { type EstimateText, estimateBasis, renderAmount } from './estimate-text.ts';

/** The calls of `--on-row`. */
export interface HookState {
  readonly counts: HookCounts;
  /** The first that failed or were never made. */
  readonly calls: readonly HookCall[];
}

/** The facts behind the closing lines. */
export interface RunEnding {
  readonly ledger: Ledger;
  readonly reason: EndingReason;
  readonly stopped: StoppedCommand | null;
  /** What stopped the run, in the words of the service or the system; null where the reason is enough. */
  readonly detail: Said | null;
  /** The output folder, as the user named it. */
  readonly out: string;
  readonly words: RunWords;
  /** Id of an uncertain row for the example command; null where there is none. */
  readonly uncertainId: string | null;
  /** Id of a lost row whose task was answered about, but not readably; null where there is none. */
  readonly unreadId?: string | null;
  /** The slots that uncertain rows hold; null where they hold back nothing. */
  readonly held: Pick<UncertainSlots, 'held' | 'of' | 'until'> | null;
  /** The user's pause of submitting, with its end for people, if it has one; null for none. */
  readonly pause: { readonly until: string | null } | null;
  readonly failures: FailureGroups;
  /** Bad rows that are no longer in the file. */
  readonly gone: Readonly<Partial<Record<Status, number>>>;
  /** What the proposed commands pay for; null where only the counts are known. */
  readonly offers: Offers | null;
  /** Mean points of a completed video; null where unknown. */
  readonly pointsPerVideo: number | null;
  /** The points go to the embedded service. */
  readonly isRehearsal: boolean;
  /** True while another process works on the run. */
  readonly isInUse: boolean;
  /** That process; null where it is not known. */
  readonly holder: Pick<Holder, 'pid' | 'host'> | null;
  readonly isPaused: boolean;
  readonly asked: EndState['asked'];
  /** Null for a run that is here and nowhere else. */
  readonly mark: MoveMark | null;
  /** The size of the run's sample while some of its rows wait; null for none. */
  readonly sample: number | null;
  /** What the rows that wait would cost after a pilot; null where there was none, or nothing can be said. */
  readonly rest: Pick<EstimateText, 'estimate' | 'range' | 'charged' | 'isRehearsal'> | null;
  /** Of a run that continues, as another process sees it: time left (ms; null where unknown), at this epoch ms. */
  readonly course: (Pick<Forecast, 'leftMs' | 'stop'> & { readonly now: number }) | null;
  /** Null for a run in a folder. */
  readonly crew: Crew | null;
  /** Absent or null where no other process looks at the run. */
  readonly hooks?: HookState | null;
  /** What a sample of watched rows says; absent or null for none. */
  readonly watched?: SampleStanding | null;
  /** False where no report has been written yet, as in a run's first minute or on a full disk. */
  readonly hasReports: boolean;
}

/** Null where no reason is needed. What is paid for, or may be, is only collected where its video is here. */
function renderReason(reason: EndingReason, { counts }: Ledger, say: Phrases): string | null {
  if (reason === 'done' || reason === 'part' || reason === 'new-round') return null;
  const left = counts.open + counts.downloading + counts.undelivered + counts.lost + counts.uncertain;
  if (reason === 'collected' && left > 0) return say.ending.collectedSome(left);
  return say.render(message('ending.stopped', { reason }));
}

/**
 * The lines to print, without line ends; what prints them breaks those that do not fit. `columns` are those of the terminal, or null
 * elsewhere.
 */
export function renderTotals(ending: RunEnding, say: Phrases, columns: number | null): readonly string[] {
  const { ledger, reason, detail, out, words, failures } = ending;
  const width = columns === null ? null : roomFor(columns);
  const steps = nextSteps({ ...ending, counts: ledger.counts, heldRows: ledger.held }, say);
  const [waiting, bad] = apart(failureLines(failures, words, ending.offers), isHeld);
  const proposed = new Set(steps.map(({ command }) => command));
  const why = renderReason(reason, ledger, say);
  const lines = [
    ...(width === null || ending.course === null ? [] : [renderPlainBar(ledger, width)]),
    renderCounts(ledger, say),
    ...renderTimeLeft(ending, say),
    renderSpending(ending, say),
    ...renderRest(ending, say),
    ...renderRunning(ending, say),
    ...renderInUse(ending, say),
    ...renderPaused(ending, say),
    ...(why === null ? [] : [detail === null ? why : say.ending.because(why, say.render(detail))]),
    ...renderFailures(bad, { areAll: failures.areAll, out, width, proposed }, say),
    ...renderFailures(waiting, { areAll: failures.areAll, out, width, proposed, areHeld: true }, say),
    ...renderCalls(ending, say),
    ...renderWatched(ending, say),
    ...(ending.hasReports ? [renderReports(ledger, out, say)] : []),
    ...renderSteps(steps, width, say),
  ];
  return lines.map(toTerminalLine);
}

/** Those of which it is true, and the others. */
function apart<T>(all: readonly T[], is: (one: T) => boolean): readonly [readonly T[], readonly T[]] {
  return [all.filter(is), all.filter((one) => !is(one))];
}

function renderInUse({ held: slots }: RunEnding, { ending: say }: Phrases): readonly string[] {
  return slots === null ? [] : [say.held(slots.held, slots.of, renderTime(slots.until))];
}

function renderTimeLeft({ course }: RunEnding, say: Phrases): readonly string[] {
  if (course === null || course.leftMs === null || course.leftMs === 0) return [];
  const { leftMs, stop, now } = course;
  return [[say.progress.left(leftMs), renderEnd({ leftMs, stop }, now, say)].join(say.between)];
}

function renderRest({ rest }: RunEnding, say: Phrases): readonly string[] {
  if (rest === null) return [];
  const { estimate, isRehearsal } = rest;
  return [say.ending.rest(estimate.rows, renderAmount(rest, say), estimateBasis(rest, say), isRehearsal)];
}

function renderRunning({ isInUse, holder, crew, words }: RunEnding, say: Phrases): readonly string[] {
  const command = `batch stop ${words.run}`;
  if (crew !== null && (isInUse || crew.workers.length > 0))
    return [...renderCrew(crew, say), ...(isInUse ? [say.ending.stopsWorkers(command)] : [])];
  return isInUse
    ? [say.ending.running(say.render(message('run.worked-on', holder ?? { pid: null, host: null })), command)]
    : [];
}

/** Calls that are shown; programs get more. */
const shownCalls = 5;

function renderCalls({ hooks = null, words }: RunEnding, say: Phrases): readonly string[] {
  if (hooks === null || hooks.calls.length === 0) return [];
  const { counts, calls } = hooks;
  const command = collectCalls(words);
  const shown = calls.slice(0, shownCalls);
  const more = counts.owed + counts.failed - shown.length;
  return [
    message('hooks.left', { made: counts.done, failed: counts.failed, owed: counts.owed, command }),
    ...shown.map(({ id, attempt, state, failure }) =>
      state === 'owed'
        ? message('hooks.call-owed', { id, attempt })
        : message('hooks.call-failed', { id, attempt, failure: failure ?? '' }),
    ),
    ...(more > 0 ? [message('hooks.more', { count: more })] : []),
  ].map((said, at) => (at === 0 ? '' : '  ') + say.render(said));
}

function renderWatched({ watched: sample = null }: RunEnding, say: Phrases): readonly string[] {
  if (sample === null) return [];
  const { mostBad, madeAgain, othersAgain, toWatchAgain, left } = sample;
  const share = shareAtMost(sample);
  return [
    mostBad === null || share === null
      ? message('watched.none', { drawn: sample.size, population: sample.population })
      : message('watched.said', { ...sample, mostBad, share, rest: sample.others }),
    ...(madeAgain > 0 ? [message('watched.made-again', { count: madeAgain, again: toWatchAgain })] : []),
    ...(othersAgain > 0 ? [message('watched.others-again', { count: othersAgain })] : []),
    ...(left > 0 ? [message('watched.more', { left, share: wantedShare })] : []),
    message('watched.caveat'),
  ].map((said, at) => (at === 0 ? '' : '  ') + say.render(said));
}

/** A run that continues, or starts now, waits for its end. */
function renderPaused({ pause, words, ledger }: RunEnding, { ending: say }: Phrases): readonly string[] {
  if (pause === null || ledger.counts.pending === 0) return [];
  return [say.paused(pause.until, `batch continue ${words.run}`)];
}

function renderCounts(ledger: Ledger, { countOf, status: names, ending: say }: Phrases): string {
  const counts = [...statuses]
    .sort((a, b) => Number(b === 'completed') - Number(a === 'completed'))
    .map(
      (status) => [ledger.counts[status] - (status === 'invalid' ? ledger.held : 0), names[status]] as const,
    )
    .concat([[ledger.held, say.heldRows]])
    .filter(([count]) => count > 0)
    .map(([count, name]) => countOf(count, name));
  return say.totals(countRows(ledger), counts);
}

function renderSpending({ ledger, pointsPerVideo, isRehearsal }: RunEnding, phrases: Phrases): string {
  const { counts } = ledger;
  const { ending: say, status: names } = phrases;
  const each = pointsPerVideo === null ? null : roundToCents(pointsPerVideo);
  const spent = say.spent(ledger.spent, isRehearsal, each);
  const reserving = statusesWith('reserving')
    .filter((status) => counts[status] > 0)
    .map((status) => [counts[status], names[status]] as const);
  const tasks = [
    ...(reserving.length === 0 ? [] : [say.reserving(reserving)]),
    ...renderUnshown(ledger, phrases),
  ];
  return tasks.length === 0 ? spent : say.reserved(spent, reservedPoints(ledger), tasks);
}

/** Tasks that may have been charged, but that no row shows: their points cannot be read, or a retry superseded them. */
function renderUnshown({ counts, reserving, unpriced }: Ledger, { ending: say }: Phrases): readonly string[] {
  const all = [...reserving.values()].reduce((sum, count) => sum + count, 0);
  const left = all - counts.submitting - counts.open - counts.uncertain - counts.lost - unpriced;
  return [...(unpriced > 0 ? [say.unpriced(unpriced)] : []), ...(left > 0 ? [say.earlier(left)] : [])];
}

/** A mean does not need six digits. */
function roundToCents(points: number): number {
  return Math.round(points * 100) / 100;
}

function renderReports(ledger: Ledger, out: string, { ending: say }: Phrases): string {
  const bad = statuses.filter((status) => hasMark(status, 'bad'));
  const isBad = bad.reduce((sum, status) => sum + ledger.counts[status], -ledger.held) > 0;
  const path = (name: string): string => reportPath(out, name);
  return say.reports(path('report.html'), path('report.csv'), isBad ? path('failed.csv') : null);
}

/** The next lines: the commands in one column, their reasons in the next; or below, where one of them is too long for the terminal. */
export function renderSteps(
  steps: readonly NextStep[],
  width: number | null,
  { ending: say }: Phrases,
): readonly string[] {
  const widest = Math.max(0, ...steps.map((step) => textWidth(step.command)));
  const labelled = steps.map((step, at) => ({ ...step, label: at === 0 ? say.firstStep : say.furtherStep }));
  const lines = labelled.map(
    ({ label, command, why }) => `${label}${command}${' '.repeat(widest - textWidth(command))}   ${why}`,
  );
  if (width === null || lines.every((line) => textWidth(line) <= width)) return lines;
  return labelled.flatMap(({ label, command, why }) => {
    const indent = textWidth(label);
    const [first = '', ...rest] = wrapAfter(why, width, indent);
    return [`${label}${command}`, ' '.repeat(indent) + first, ...rest];
  });
}
