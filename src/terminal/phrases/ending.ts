/** What is said at the end of a run, in English: the totals, why rows ended badly, what to type next. */

import { reasonNames } from '../../messages/findings/finding-text.ts';
import { renderNumber, renderPoints, renderRows } from '../../messages/numbers.ts';
import type { Status } from '../../money/item.ts';
import type { EndingReason } from '../../money/summary.ts';
import type { Offer } from '../offers.ts';
import { counted, listed } from './measures.ts';

export const english = {
  totals: (rows: number, counts: readonly string[]) =>
    counts.length === 0 ? renderRows(rows) : `${renderRows(rows)}: ${counts.join(', ')}`,
  /** After a number of rows. */
  heldRows: 'waiting for videos of others',
  spent: (points: number, isRehearsal: boolean, each: number | null) =>
    `${renderPoints(points)} spent${isRehearsal ? ' (play money)' : ''}${each === null ? '' : `, ${renderNumber(each)} a video`}`,
  /** Unknown points are named, so that the sum is never taken for the whole price. */
  reserved: (spent: string, points: number | null, tasks: readonly string[]) =>
    `${spent}; ${points === null ? 'an unknown number' : `about ${renderNumber(points)}`} more reserved by ${tasks.join(' and ')}`,
  /** `1 submitting, 3 open and 6 uncertain rows`. */
  reserving: (counts: readonly (readonly [count: number, status: string])[]) => {
    const isOne = counts.reduce((sum, [count]) => sum + count, 0) === 1;
    return `${listed(counts.map(([count, word]) => `${renderNumber(count)} ${word}`))} ${isOne ? 'row' : 'rows'}`;
  },
  unpriced: (tasks: number) => `${counted(tasks, 'task', 'tasks')} whose points are unknown`,
  earlier: (tasks: number) => `${counted(tasks, 'task', 'tasks')} of earlier attempts`,
  /** What the rest would cost after a pilot. */
  rest: (rows: number, amount: string, basis: string, isRehearsal: boolean) =>
    `The rest: ${renderRows(rows)} for ${amount}${isRehearsal ? ' of play money' : ''} (${basis})`,
  running: (holder: string, command: string) =>
    `Running: ${holder} works in this folder; \`${command}\` ends it`,
  stopsWorkers: (command: string) => `\`${command}\` ends them`,
  paused: (until: string | null, command: string) =>
    `Paused: nothing is submitted${until === null ? '' : ` until ${until}`}; \`${command}\` ends the pause`,
  held: (held: number, all: number, until: string) =>
    `Uncertain rows hold ${renderNumber(held)} of ${renderNumber(all)} slots until ${until}; settle them with \`batch resolve\` to free the slots`,
  /** In place of the reason `collected`. */
  collectedSome: (rows: number) =>
    `Nothing was submitted; ${renderRows(rows)} whose task is or may be paid for ${rows === 1 ? 'has' : 'have'} no video yet`,
  because: (stopped: string, detail: string) => `${stopped}: ${detail}`,
  /** `failed` is null where no row is to be corrected. */
  reports: (html: string, csv: string, failed: string | null) =>
    `Look at ${html}; every row: ${csv}${failed === null ? '' : `; rows to correct: ${failed}`}`,

  whyBadly: 'Why rows ended badly:',
  whyWaiting: 'Rows that wait for the videos of others:',
  waiting: 'waiting',
  noReason: 'no reason given',
  stillInFile: (said: string, count: number) => `${said} (${renderNumber(count)} still in the file)`,
  noLongerInFile: 'no longer in the file',
  /** `rows` is null where there are more kinds than are known. */
  moreKinds: (kinds: number, rows: number | null, report: string) => {
    const more = `${renderNumber(kinds)} more ${kinds === 1 ? 'kind' : 'kinds'}`;
    return `and ${rows === null ? `more than ${more}` : `${more}, ${renderRows(rows)}`}: see ${report}`;
  },

  seenVideos: (videos: number, looked: number, suspects: number) =>
    `${counted(videos, 'video', 'videos')} seen, ${renderNumber(looked)} of them now; ${renderNumber(suspects)} worth a look${suspects === 0 ? '' : ':'}`,
  suspects: reasonNames,
  suspectsListed: 'report.html lists these rows first; report.csv has the reasons in the column suspect',
  /** By what is not installed. */
  notLookedFor: {
    mediabunny:
      'not looked for: tracks, durations, cuts, gaps and resolutions (the package mediabunny is not installed)',
    ffmpeg: 'not looked for: black pictures and silence (ffmpeg is not on the PATH)',
  } as Readonly<Record<string, string>>,

  files: (files: number, flawed: number) =>
    `${renderNumber(files)} files, ${renderNumber(files - flawed)} whole, ${renderNumber(flawed)} damaged or missing`,
  filesAway: (missing: number, files: number) =>
    `warning: ${missing === files ? 'all' : renderNumber(missing)} of ${renderNumber(files)} files are missing: is their disk mounted?`,
  fetched: (fetched: number, wanted: number) =>
    `${renderNumber(fetched)} of ${counted(wanted, 'damaged or missing file', 'damaged or missing files')} downloaded again`,
  fetchAgain: 'downloads them again, free of charge',
  recognize: 'recognizes what is back, free of charge',

  firstStep: 'Next: ',
  furtherStep: 'Then: ',
  rowsAre: (rows: number, status: string, hint: string) => `${renderRows(rows)} ${status}: ${hint}`,
  hints: {
    uncertain:
      'T is the id of its task in your account; --not-created if there is none; report.csv lists the rows',
    undelivered: 'tries the downloads again, free of charge; `batch links` shows links to open in a browser',
    failed: 'a new attempt',
    rejected: 'a new attempt',
    lost: 'asks again, free of charge',
    forgotten: 'pays again',
    invalid: 'correct the file first; failed.csv says what is wrong',
  } as Readonly<Record<Exclude<Status, ActiveStatus> | 'forgotten', string>>,
  takesVideos: (rows: number) =>
    `${renderRows(rows)} ${rows === 1 ? 'waits for the video of another' : 'wait for the videos of others'}: takes what is there, and sends what nobody makes`,
  look: 'shows what the service answers about it, which could not be read; look before you let `batch retry --lost` pay again',
  settleAll: (command: string) =>
    `fill in task_id from your account, or not-created where there is no task, then \`${command}\``,
  moved: 'the run has moved there; these are its rows as they were then',
  moving: 'the run is on its way: type the same line as before to finish the move',
  watch: 'shows the progress again',
  report: 'writes the reports, once files can be saved',
  backInFile: (rows: number) =>
    `${renderRows(rows)} that ended badly ${rows === 1 ? 'is' : 'are'} no longer in the file; reading one that has ${rows === 1 ? 'it' : 'them'} brings ${rows === 1 ? 'it' : 'them'} back`,
  view: 'nothing is left to do; this shows the videos in your browser',
  endsPause: 'ends the pause; until then nothing is submitted',
  left: (rows: number, notes: readonly string[]) => [`${renderRows(rows)} left`, ...notes].join(': '),
  withNotes: (text: string, notes: readonly string[]) => [text, ...notes].join(': '),
  underWay: (rows: number, notes: readonly string[]) =>
    [`${renderRows(rows)} under way`, 'fetches what is paid for, free of charge', ...notes].join(': '),
  unsent: (rows: number, amount: string) => `${renderRows(rows)} left of a retry${amount}`,
  /** After what a command does; '' while nothing can be said. */
  forPoints: (offer: Pick<Offer, 'points' | 'within' | 'before'> | null) =>
    [
      offer?.points == null ? '' : `, about ${renderPoints(offer.points)}`,
      offer?.within == null ? '' : `, as far as the cap of ${renderPoints(offer.within)} goes`,
      offer == null || offer.before === 0
        ? ''
        : `, ${renderNumber(offer.before)} of these rows by a line above`,
    ].join(''),
  /** After it. */
  after: (time: string) => `, after ${time}, as the service asked`,
  sampleAlone: 'this goes on with the sample alone',
  /** What to fix before resuming, for endings that need a fix. */
  beforeResuming: {
    'key-refused': 'set a valid key in BATCH_API_KEY first',
    'no-points': 'add points to the account first',
    'key-forbidden':
      'give the key this permission in your account, or set another one in BATCH_API_KEY first',
    'points-cap': 'with a higher cap',
    unpriced: 'without a cap, or when the service reports what its tasks cost',
    halt: 'look at failed.csv first',
    'uncertain-breaker': 'settle the uncertain rows first',
    'refusal-breaker': 'check your account and the failure text first',
    'lost-breaker': 'correct --base-url first, or ask the service what became of these tasks',
    'delivery-breaker':
      'tries these videos again, then pays for one row, and for more when a video is here; `batch links` shows links to try in a browser',
    'foreign-answer': 'correct --base-url first',
    'wrong-service': 'correct --base-url first',
    busy: 'when the service accepts creations again',
    unreachable: 'when the service can be reached',
    misconfigured: 'correct --base-url first',
    disk: 'once files can be saved',
  } as Readonly<Record<MendableEnding, string>>,
};

type ActiveStatus = 'pending' | 'submitting' | 'open' | 'downloading' | 'completed';

/** Endings after which the user fixes something before resuming. */
export type MendableEnding = Exclude<
  EndingReason,
  | 'done'
  | 'interrupted'
  | 'terminated'
  | 'collected'
  | 'new-round'
  | 'older-store'
  | 'updated'
  | 'not-durable'
  | 'limit'
  | 'part'
  | 'checkpoint'
  | 'bug'
>;
