/** What is said while a run goes, in English: the live block, lines of progress, what keeps the run waiting, the workers. */

import { renderNumber, renderRows } from '../../messages/numbers.ts';
import type { EarlyStop } from '../../money/forecast/progress.ts';
import { renderMoment, renderRough, renderSpan } from '../times.ts';
import { counted } from './measures.ts';

const slices = (count: number): string => counted(count, 'slice', 'slices');

const stops = { 'points-cap': 'cap', limit: 'limit', halt: '--halt' } as const;

export const english = {
  done: (completed: number, rows: number) => `${renderNumber(completed)} of ${renderNumber(rows)} done`,
  doneShort: (completed: number, rows: number) => `${renderNumber(completed)}/${renderNumber(rows)} done`,
  soFar: (count: number) => `${renderNumber(count)} so far`,
  later: (rows: number) => `${renderNumber(rows)} left for later`,
  open: (open: number, cap: number) => `${renderNumber(open)}/${renderNumber(cap)} open`,

  left: (ms: number) => `about ${renderRough(ms)} left`,
  doneAt: (at: number, now: number) => `done at ${renderMoment(at, now)}`,
  stopAt: (why: EarlyStop['why'], at: number, now: number, rows: number) =>
    `${stops[why]} reached at about ${renderMoment(at, now)}, about ${renderRows(rows)} left`,
  leftUntil: (ms: number, until: string) => `about ${renderRough(ms)} left (${until})`,
  lastFiles: 'downloading the last files',
  lastAreSlow: 'the last tasks are the slowest so far',
  leftLater: 'time left: known when a task has ended',
  leftUnknown: 'time left unknown: tasks of an old run',
  pace: (ms: number) => `${renderSpan(ms)} a task`,
  running: (ms: number) => `running ${renderSpan(ms)}`,

  spent: (points: string) => `${points} spent`,
  reserved: (points: number | null) =>
    points === null ? 'reserved: unknown' : `${renderNumber(points)} reserved`,
  inAll: (points: number | null) =>
    points === null ? 'in all: unknown' : `about ${renderNumber(points)} in all`,
  spentOf: (spent: string, total: number | null) =>
    total === null ? spent : `${spent}, about ${renderNumber(total)} in all`,
  unpriced: (tasks: number) => `${counted(tasks, 'task', 'tasks')} of unknown price`,
  cap: (points: number) => `cap ${renderNumber(points)}`,

  latest: 'latest',
  slowest: 'slowest',
  ended: (id: string, status: string, failure: string | null) =>
    `${id} ${status}: ${failure ?? 'no reason given'}`,
  frames: (count: number) => counted(count, 'frame', 'frames'),
  warning: 'warning: ',

  pauses: (ms: number, failure: string | null) =>
    `submitting pauses for ${renderRough(ms)}${failure === null ? '' : `: ${failure}`}`,
  probe: 'checking whether the service can be reached',
  service: (open: number) =>
    `the service answers that it is busy; no more than ${open} ${open === 1 ? 'task is' : 'tasks are'} open at once until it takes more`,
  /** In lines: one for each command. */
  uncertain: (held: number, all: number, until: string, found: string, none: string) => [
    `uncertain rows hold ${renderNumber(held)} of ${renderNumber(all)} slots until ${until}; to free one:`,
    `\`${found}\` or`,
    `\`${none}\``,
  ],
  pollPause: (ms: number) => `the service asked for a pause of ${renderRough(ms)}`,
  callbacks: (until: string) =>
    `waiting until ${until} for callbacks about uncertain rows; Ctrl-C ends the wait`,
  videos: (count: number, until: string) =>
    `${counted(count, 'task', 'tasks')} finished without a video; asked again until ${until}`,
  budget: 'submitting waits until the price of open tasks is known (--max-points)',
  downloads: 'submitting waits for downloads',
  silence: (ms: number) => `no answer from the service for ${renderSpan(ms)}; polling goes on`,
  idle: 'nothing is left to do: this worker waits, and goes on when there is more',

  stoppingNow:
    'Stopping: nothing more is submitted; waiting for creations in flight. A second signal leaves at once.',
  leftAtOnce: 'Left at once; everything done so far is saved, a creation without an answer becomes uncertain',

  noWorkers: 'Workers: none',
  workers: (count: number, silent: number) =>
    `Workers: ${renderNumber(count)}${silent === 0 ? '' : `, ${renderNumber(silent)} of them silent`}`,
  silentWorker: (ms: number) => `SILENT for ${renderSpan(ms)}: its rows are with the others`,
  worker: (sliceCount: number, rows: readonly string[], ms: number) =>
    `${[slices(sliceCount), ...rows].join(', ')}; heard of ${renderSpan(ms)} ago`,
  storeAway: (ms: number) => `no answer from the store for ${renderSpan(ms)}`,
  crew: (workers: number, own: number, all: number) =>
    `${counted(workers, 'worker', 'workers')}, this one with ${renderNumber(own)} of ${slices(all)}`,
};
