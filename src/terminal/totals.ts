/** The closing lines of a run: what became of the rows, what it cost, why it stopped, what to do next. */

import type { FailureGroups } from '../core/failure-groups.ts';
import { type Status, statuses } from '../core/item.ts';
import { badStatuses, countRows, type EndingReason, type Ledger, reservedPoints } from '../core/summary.ts';
import type { RunWords } from '../core/text/run-words.ts';
import type { MoveMark } from '../store.ts';
import { type Crew, renderCrew } from './crew-lines.ts';
import { failureLines, renderFailures, reportPath } from './failure-lines.ts';
import { type NextStep, nextSteps } from './next-steps.ts';
import { renderNumber, renderPoints, renderRows } from './numbers.ts';
import { toTerminalLine } from './terminal-text.ts';
import { renderTime } from './times.ts';

/** The facts behind the closing lines. */
export interface RunEnding {
  readonly ledger: Ledger;
  readonly reason: EndingReason;
  /** What stopped the run, in the words of the service or the system; null where the reason is enough. */
  readonly detail: string | null;
  /** The output folder, as the user named it. */
  readonly out: string;
  readonly words: RunWords;
  /** Id of an uncertain row for the example command; null where there is none. */
  readonly uncertainId: string | null;
  /** Until when uncertain rows hold all free slots (epoch ms); null where they do not. */
  readonly heldUntil: number | null;
  /** The user's pause of submitting, with its end for people, if it has one; null for none. */
  readonly pause: { readonly until: string | null } | null;
  readonly failures: FailureGroups;
  /** Bad rows that are no longer in the file. */
  readonly gone: Readonly<Partial<Record<Status, number>>>;
  /** Mean points of a completed video; null where unknown. */
  readonly pointsPerVideo: number | null;
  /** The points go to the embedded service. */
  readonly isRehearsal: boolean;
  /** True while another process works on the run. */
  readonly isHeld: boolean;
  /** Null for a run that is here and nowhere else. */
  readonly mark: MoveMark | null;
  /** The size of the run's sample while some of its rows wait; null for none. */
  readonly sample: number | null;
  /** Null for a run in a folder. */
  readonly crew: Crew | null;
  /** False where no report has been written yet, as in a run's first minute or on a full disk. */
  readonly hasReports: boolean;
}

/** Why a run stopped before its work was done; null where no reason is needed. */
const stopped: Readonly<Record<EndingReason, string | null>> = {
  done: null,
  interrupted: 'Interrupted; everything done so far is saved',
  terminated: 'Terminated; everything done so far is saved',
  'key-refused': 'Stopped: the service refused the API key',
  'no-points': 'Stopped: the account has no points left',
  'key-forbidden': 'Stopped: the API key lacks permission',
  collected: 'Collected everything paid for; nothing was submitted',
  'new-round': null,
  'older-store': 'Stopped submitting: the store is an older copy of itself',
  limit: 'Stopped: --limit reached',
  'points-cap': 'Stopped submitting: --max-points reached',
  unpriced: 'Stopped submitting: the price of a task is unknown, so --max-points cannot be guaranteed',
  halt: 'Stopped submitting: too many rows ended badly (--halt)',
  'uncertain-breaker': 'Stopped submitting: several creations in a row got no readable answer',
  'refusal-breaker': 'Stopped submitting: the service refused several rows in a row for the same reason',
  'lost-breaker':
    'Stopped submitting: the service does not know several tasks in a row that it accepted; is --base-url correct?',
  'foreign-answer': 'Stopped submitting: a creation was answered, but not by the service; check --base-url',
  'wrong-service': 'Nothing was sent: the server at --base-url is not the service',
  busy: 'Stopped: the service refused every creation for the whole --outage-timeout',
  unreachable: 'Stopped: the service cannot be reached; check --base-url and the network',
  misconfigured: 'Stopped: the service is not set up correctly',
  disk: 'Stopped by a disk error',
  checkpoint: 'Stopped: the checkpoint cannot be used',
  bug: 'Stopped by a bug in batch',
};

/** The lines to print, without line ends. */
export function renderTotals(ending: RunEnding): readonly string[] {
  const { ledger, reason, detail, out, words, failures } = ending;
  const why = stopped[reason];
  const lines = [
    renderCounts(ledger),
    renderSpending(ending),
    ...renderRunning(ending),
    ...(ending.heldUntil === null ? [] : [renderHeld(ending.heldUntil)]),
    ...renderPaused(ending),
    ...(why === null ? [] : [detail === null ? why : `${why}: ${detail}`]),
    ...renderFailures(failureLines(failures, words), failures.areAll, out),
    ...(ending.hasReports ? [renderReports(ledger, out)] : []),
    ...renderSteps(nextSteps({ ...ending, counts: ledger.counts })),
  ];
  return lines.map(toTerminalLine);
}

function renderRunning({ isHeld, crew }: RunEnding): readonly string[] {
  if (crew !== null && (isHeld || crew.workers.length > 0)) return renderCrew(crew);
  return isHeld ? ['Running: another process works in this folder'] : [];
}

/** A run that goes on, or starts now, waits for its end. */
function renderPaused({ pause, words, ledger }: RunEnding): readonly string[] {
  if (pause === null || ledger.counts.pending === 0) return [];
  const end = pause.until === null ? '' : ` until ${pause.until}`;
  return [`Paused: nothing is submitted${end}; \`batch continue ${words.run}\` ends the pause`];
}

/** A run that continues, or starts now, waits for these rows. */
function renderHeld(until: number): string {
  return `Uncertain rows hold all free slots until ${renderTime(until)}; settle them with \`batch resolve\` to free the slots`;
}

function renderCounts(ledger: Ledger): string {
  const counts = [...statuses]
    .sort((a, b) => Number(b === 'completed') - Number(a === 'completed'))
    .filter((status) => ledger.counts[status] > 0)
    .map((status) => `${renderNumber(ledger.counts[status])} ${status}`);
  const rows = renderRows(countRows(ledger));
  return counts.length === 0 ? rows : `${rows}: ${counts.join(', ')}`;
}

/** Unknown points are named, so that the sum is never taken for the whole price. */
function renderSpending({ ledger, pointsPerVideo, isRehearsal }: RunEnding): string {
  const { counts } = ledger;
  const play = isRehearsal ? ' (play money)' : '';
  const each = pointsPerVideo === null ? '' : `, ${renderNumber(roundToCents(pointsPerVideo))} a video`;
  const parts = [`${renderPoints(ledger.spent)} spent${play}${each}`];
  const reserving = renderGroup([
    [counts.submitting, 'submitting'],
    [counts.open, 'open'],
    [counts.uncertain, 'uncertain'],
    [counts.lost, 'lost'],
  ]);
  const tasks = [...(reserving === '' ? [] : [reserving]), ...renderUnshown(ledger)].join(' and ');
  const reserved = reservedPoints(ledger);
  const more = reserved === null ? 'an unknown number' : `about ${renderNumber(reserved)}`;
  if (tasks !== '') parts.push(`${more} more reserved by ${tasks}`);
  return parts.join('; ');
}

/** Tasks that may have been charged, but that no row shows: their points cannot be read, or a retry superseded them. */
function renderUnshown({ counts, reserving, unpriced }: Ledger): readonly string[] {
  const all = [...reserving.values()].reduce((sum, count) => sum + count, 0);
  const left = all - counts.submitting - counts.open - counts.uncertain - counts.lost - unpriced;
  const tasks = (count: number): string => `${renderNumber(count)} ${count === 1 ? 'task' : 'tasks'}`;
  return [
    ...(unpriced > 0 ? [`${tasks(unpriced)} whose points are unknown`] : []),
    ...(left > 0 ? [`${tasks(left)} of earlier attempts`] : []),
  ];
}

/** A mean does not need six digits. */
function roundToCents(points: number): number {
  return Math.round(points * 100) / 100;
}

/** `1 submitting, 3 open and 6 uncertain rows`; '' for none. */
function renderGroup(group: readonly (readonly [number, string])[]): string {
  const some = group.filter(([count]) => count > 0);
  const each = some.map(([count, word]) => `${renderNumber(count)} ${word}`);
  const words = [each.slice(0, -1).join(', '), ...each.slice(-1)].filter((word) => word !== '').join(' and ');
  const isOne = some.reduce((sum, [count]) => sum + count, 0) === 1;
  return words === '' ? '' : `${words} ${isOne ? 'row' : 'rows'}`;
}

function renderReports(ledger: Ledger, out: string): string {
  const isBad = statuses.some((status) => badStatuses.has(status) && ledger.counts[status] > 0);
  const mend = isBad ? `; rows to correct: ${reportPath(out, 'failed.csv')}` : '';
  return `Look at ${reportPath(out, 'report.html')}; every row: ${reportPath(out, 'report.csv')}${mend}`;
}

/** The commands in one column, their reasons in the next. */
function renderSteps(steps: readonly NextStep[]): readonly string[] {
  const width = Math.max(0, ...steps.map((step) => step.command.length));
  return steps.map(
    ({ command, why }, index) => `${index === 0 ? 'Next' : 'Then'}: ${command.padEnd(width)}   ${why}`,
  );
}
