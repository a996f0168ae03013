/** What a user can do after a run, most urgent first: commands to copy, each with its reason. */

import type { Status } from '../core/item.ts';
import { type EndingReason, isKeyRefusal } from '../core/summary.ts';
import type { RunWords } from '../core/text/run-words.ts';
import type { MoveMark } from '../store.ts';
import { listWords, resolveWords } from './failure-lines.ts';
import { renderRows } from './numbers.ts';

/** A command and the reason to type it. */
export interface NextStep {
  readonly command: string;
  readonly why: string;
}

/** The state of a run when it ends. */
export interface EndState {
  readonly counts: Readonly<Record<Status, number>>;
  readonly reason: EndingReason;
  readonly words: RunWords;
  /** Id of an uncertain row for the example command; null where none is known. */
  readonly uncertainId: string | null;
  /** Rows of the counts that are no longer in the file: they cannot get a new attempt. */
  readonly gone: Readonly<Partial<Record<Status, number>>>;
  /** True while another process works on the run. */
  readonly isHeld: boolean;
  /** Null for a run that is here and nowhere else. */
  readonly mark: MoveMark | null;
  /** The size of the run's sample while some of its rows wait; null for none. */
  readonly sample: number | null;
}

/** The next command, where only the counts are known. */
export function nextCommand(
  counts: Readonly<Record<Status, number>>,
  reason: EndingReason,
  words: RunWords,
): string {
  const end = { counts, reason, words, uncertainId: null, gone: {}, isHeld: false, mark: null, sample: null };
  return nextSteps(end)[0]?.command ?? '';
}

/** All options, most urgent first. */
export function nextSteps(end: EndState): readonly NextStep[] {
  if (end.mark !== null) return [moveStep(end.mark, end.words)];
  if (end.isHeld && !end.words.isShared) return [watchStep(end)];
  // The workers of a shared run go on by themselves.
  const resume = end.isHeld ? watchStep(end) : resumeStep(end);
  const settle = end.counts.uncertain > 1 ? settleAllStep(end) : stepFor(end, orders.uncertain);
  // Without a valid key nothing else works; otherwise uncertain payments come first.
  const urgent = isKeyRefusal(end.reason) ? [resume, settle] : [settle, resume ?? reportStep(end)];
  const { undelivered, lost, failed, rejected, forgotten, invalid } = orders;
  const rest = [undelivered, lost, failed, rejected, forgotten, invalid].map((order) => stepFor(end, order));
  const steps = [...urgent, ...rest].filter((step) => step !== null);
  return steps.length > 0 ? steps : [verifyStep(end)];
}

/** A run that is elsewhere, or on its way, refuses every command that changes it here. */
function moveStep({ state, place }: MoveMark, { run, isShared }: RunWords): NextStep {
  if (state === 'moved')
    return {
      command: `batch resume ${place}`,
      why: 'the run has moved there; these are its rows as they were then',
    };
  const [from, to] = state === 'leaving' ? [run, place] : [place, run];
  const isIntoStore = (state === 'arriving') === isShared;
  return {
    command: `batch move ${from} ${isIntoStore ? '' : '--out '}${to}`,
    why: 'the run is on its way: type the same line as before to finish the move',
  };
}

/** While a run in a folder is active, every other command is refused. */
function watchStep({ words }: EndState): NextStep {
  const which = words.isShared
    ? 'a worker, press Ctrl-C where it works'
    : 'the run, press Ctrl-C where it runs';
  return {
    command: `batch status ${words.run}`,
    why: `shows the progress again; to stop ${which}`,
  };
}

/** All rows have ended, but the disk refused the reports. */
function reportStep({ reason, words }: EndState): NextStep | null {
  if (reason !== 'disk') return null;
  return {
    command: `batch report ${words.run}`,
    why: 'writes the reports; fix the disk first',
  };
}

/** Nothing is left to do except check the files. */
function verifyStep({ words }: EndState): NextStep {
  return {
    command: `batch verify ${words.run}`,
    why: 'nothing is left to do; this checks the files on disk',
  };
}

/** Several rows are settled as one table. */
function settleAllStep({ counts, words }: EndState): NextStep {
  const filled = `batch resolve ${words.run} --from uncertain.csv`;
  return {
    command: `batch ${listWords(words.run)}`,
    why: `${renderRows(counts.uncertain)} uncertain: fill in task_id from your account, or not-created where there is no task, then \`${filled}\``,
  };
}

/** What rows of a status need: the words of the command, and what to know before typing it. */
interface Order {
  readonly status: Status;
  words(run: string, id: string, file: string): string;
  readonly hint: string;
  /** True where only rows of the file can be helped this way. */
  readonly needsFile?: boolean;
}

const orders = {
  uncertain: {
    status: 'uncertain',
    words: resolveWords,
    hint: 'T is the id of its task in your account; --not-created if there is none; report.csv lists the rows',
  },
  undelivered: {
    status: 'undelivered',
    words: (run) => `collect ${run}`,
    hint: 'tries the downloads again, free of charge',
  },
  failed: {
    status: 'failed',
    words: (run) => `retry ${run} --failed`,
    hint: 'a new attempt',
    needsFile: true,
  },
  rejected: {
    status: 'rejected',
    words: (run) => `retry ${run} --rejected`,
    hint: 'a new attempt',
    needsFile: true,
  },
  /** What is free comes before what is paid for again: the task may still exist. */
  lost: {
    status: 'lost',
    words: (run) => `collect ${run}`,
    hint: 'asks for them again, free of charge',
  },
  forgotten: {
    status: 'lost',
    words: (run) => `retry ${run} --lost`,
    hint: 'pays for them again',
    needsFile: true,
  },
  invalid: {
    status: 'invalid',
    words: (_run, _id, file) => `run FILE ${file}`,
    hint: 'correct them in FILE first; failed.csv lists them',
  },
} satisfies Readonly<Record<string, Order>>;

function stepFor(end: EndState, { status, words, hint, needsFile = false }: Order): NextStep | null {
  const { counts, uncertainId, gone } = end;
  const count = counts[status] - (needsFile ? (gone[status] ?? 0) : 0);
  if (count === 0) return null;
  const command = `batch ${words(end.words.run, uncertainId ?? 'ID', end.words.file)}`;
  return { command, why: `${renderRows(count)} ${status}: ${hint}` };
}

/** What to fix before resuming, for endings that need a fix. */
const beforeResuming: Readonly<Partial<Record<EndingReason, string>>> = {
  'key-refused': 'set a valid key in BATCH_API_KEY first',
  'no-points': 'add points to the account first',
  'key-forbidden': 'give the key this permission in your account, or set another one in BATCH_API_KEY first',
  'points-cap': 'with a higher cap',
  unpriced: 'without a cap, or when the service reports what its tasks cost',
  halt: 'look at failed.csv first',
  'uncertain-breaker': 'settle the uncertain rows first',
  'refusal-breaker': 'check your account and the failure text first',
  'lost-breaker': 'correct --base-url first, or ask the service what became of these tasks',
  'foreign-answer': 'correct --base-url first',
  'wrong-service': 'correct --base-url first',
  busy: 'when the service accepts creations again',
  unreachable: 'when the service can be reached',
  misconfigured: 'correct --base-url first',
  disk: 'fix the disk first',
};

function resumeStep({ counts, reason, words, sample }: EndState): NextStep | null {
  const left = counts.pending + counts.submitting + counts.open + counts.downloading;
  if (left === 0) return null;
  const cap = reason === 'points-cap' ? ' --max-points N' : reason === 'unpriced' ? ' --max-points none' : '';
  const before = beforeResuming[reason];
  // Without it, the command would pay for all the rest before the pilot has told what that costs.
  const pilot = sample === null ? '' : ` --sample ${sample}`;
  const notes = [before, sample === null ? undefined : 'this goes on with the sample alone'];
  const why = [`${renderRows(left)} left`, ...notes.filter((note) => note !== undefined)].join(': ');
  return { command: `batch resume ${words.run}${cap}${pilot}`, why };
}
