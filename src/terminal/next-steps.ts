/** What a user can do after a run, most urgent first: commands to copy, each with its reason. */

import type { Status } from '../money/item.ts';
import { type EndingReason, isKeyRefusal } from '../money/summary.ts';
import type { MoveMark } from '../stores/port/archive.ts';
import { asTyped, type RunWords, readingWords, typedCommand } from '../text/run-words.ts';
import { linksWords, listWords, resolveWords } from './failure-lines.ts';
import { type Offer, type Offers, payingOptions } from './offers.ts';
import type { MendableEnding } from './phrases/ending.ts';
import { english, type Phrases } from './phrases/phrases.ts';

/** A command and the reason to type it. */
export interface NextStep {
  readonly command: string;
  readonly why: string;
}

export type StoppedCommand = 'run' | 'retry';

/** The state of a run when it ends. */
export interface EndState {
  readonly counts: Readonly<Record<Status, number>>;
  /** Of the invalid ones, those that wait for the video of another row; 0 by default. */
  readonly heldRows?: number;
  readonly reason: EndingReason;
  /** The command that somebody stopped: a retry, or one that sends all rows that wait; null for any other end. */
  readonly stopped: StoppedCommand | null;
  readonly words: RunWords;
  /** Id of an uncertain row for the example command; null where none is known. */
  readonly uncertainId: string | null;
  /** Id of a lost row whose task was answered about, but not readably; null where there is none. */
  readonly unreadId?: string | null;
  /** Rows of the counts that are no longer in the file: they cannot get a new attempt. */
  readonly gone: Readonly<Partial<Record<Status, number>>>;
  /** True while another process works on the run. */
  readonly isInUse: boolean;
  /** True while submitting is paused: what sends rows would wait. */
  readonly isPaused: boolean;
  /** Until when the service asked to be sent nothing, as seen at `now` (epoch ms); null where it did not. */
  readonly asked: { readonly until: number; readonly now: number } | null;
  /** Null for a run that is here and nowhere else. */
  readonly mark: MoveMark | null;
  /** The size of the run's sample while some of its rows wait; null for none. */
  readonly sample: number | null;
  /** What the proposed commands pay for; null where only the counts are known. */
  readonly offers: Offers | null;
}

/** The next command, where only the counts are known. */
export function nextCommand(
  counts: Readonly<Record<Status, number>>,
  reason: EndingReason,
  words: RunWords,
  offers: Offers | null = null,
  stopped: StoppedCommand | null = null,
  heldRows = 0,
): string {
  const unknown = { uncertainId: null, gone: {}, asked: null, mark: null, sample: null };
  const end = {
    ...unknown,
    heldRows,
    isInUse: false,
    isPaused: false,
    counts,
    reason,
    stopped,
    words,
    offers,
  };
  return nextSteps(end, english)[0]?.command ?? '';
}

/** All options, most urgent first. */
export function nextSteps(end: EndState, say: Phrases): readonly NextStep[] {
  if (end.mark !== null) return typed([moveStep(end.mark, end.words, say)]);
  if (end.isInUse && !end.words.isShared) return typed([watchStep(end, say)]);
  // The workers of a shared run continue by themselves.
  const [fetch, resume] = end.isInUse
    ? [null, watchStep(end, say)]
    : [freeStep(end, say), resumeStep(end, say)];
  const free = [
    fetch,
    stepFor(end, orders.undelivered, say),
    lookStep(end, say),
    stepFor(end, orders.lost, say),
  ];
  const settle = end.counts.uncertain > 1 ? settleAllStep(end, say) : stepFor(end, orders.uncertain, say);
  const unsent = end.isInUse ? [] : unsentSteps(end, say);
  const urgent = inOrder(end, {
    free,
    settle,
    unsent: [pauseStep(end, say), ...unsent],
    resume: resume ?? (fetch === null ? reportStep(end, say) : null),
  });
  const { failed, rejected, forgotten, invalid } = orders;
  // The task of such a row may have been made: a user who has looked types the command.
  const again = end.unreadId == null ? [forgotten] : [];
  const rest = [failed, rejected, ...again].map((order) => stepFor(end, order, say));
  const last = [heldStep(end, say), stepFor(end, invalid, say), backStep(end, say)];
  const steps = onceEach([...urgent, ...rest, ...last].filter((step) => step !== null));
  return steps.length > 0 ? steps : typed([viewStep(end, say)]);
}

type Urgent = Readonly<Record<'free' | 'unsent', readonly (NextStep | null)[]>> &
  Readonly<Record<'settle' | 'resume', NextStep | null>>;

/**
 * A user who stopped a command continues it. Else what is free and safe comes first; without a valid key nothing else works; then
 * uncertain payments.
 */
function inOrder(
  { reason, stopped }: EndState,
  { free, settle, unsent, resume }: Urgent,
): readonly (NextStep | null)[] {
  const [pause = null, ...retries] = unsent;
  if (stopped === 'run') return [pause, resume, ...free, settle, ...retries];
  if (stopped === 'retry') return [...unsent, ...free, settle, resume];
  return isKeyRefusal(reason) ? [...free, ...unsent, resume, settle] : [...free, settle, ...unsent, resume];
}

/** What sends the rows that wait, with the budget that they need; where none waits, what comes next. */
export function sendingSteps(end: EndState, say: Phrases): readonly NextStep[] {
  if (end.mark !== null || end.isInUse) return nextSteps(end, say);
  const steps = [pauseStep(end, say), ...unsentSteps(end, say), resumeStep(end, say)].filter(
    (step) => step !== null,
  );
  return steps.length > 0 ? typed(steps) : nextSteps(end, say);
}

/** Each command once, with all that it is good for. */
function onceEach(steps: readonly NextStep[]): readonly NextStep[] {
  return typed(
    [...Map.groupBy(steps, ({ command }) => command)].map(([command, same]) => ({
      command,
      why: same.map(({ why }) => why).join('; '),
    })),
  );
}

/** As they work where the user is. */
function typed(steps: readonly NextStep[]): readonly NextStep[] {
  return steps.map(({ command, why }) => ({ command: typedCommand(command), why: asTyped(why) }));
}

/** Fetches what is paid for. Where nothing is to be sent, `resume` submits nothing either. */
function freeStep({ counts, reason, stopped, words, offers }: EndState, say: Phrases): NextStep | null {
  const open = counts.submitting + counts.open + counts.downloading;
  if (open === 0) return null;
  const isAlone =
    counts.pending === 0 && (counts.invalid === 0 || stopped === 'run') && (offers?.waiting ?? null) === null;
  const notes = isMendable(reason, say.ending) ? [say.ending.beforeResuming[reason]] : [];
  return isAlone
    ? { command: `batch resume ${words.run}`, why: say.ending.left(open, notes) }
    : { command: `batch collect ${words.run}`, why: say.ending.underWay(open, notes) };
}

/** A person reads what the program cannot. */
function lookStep({ unreadId = null, words }: EndState, say: Phrases): NextStep | null {
  if (unreadId === null) return null;
  return { command: `batch ${linksWords(words.run, unreadId)}`, why: say.ending.look };
}

/** Sends what retries ordered and did not send, and nothing else. */
function unsentSteps(end: EndState, say: Phrases): readonly NextStep[] {
  const { offers, words } = end;
  return (offers?.unsent ?? []).map((offer) => ({
    command: `batch retry ${words.run} --unsent ${offer.round}${payingOptions(offers, offer, false)}`,
    why: say.ending.unsent(offer.rows, payingText(end, offer, say)),
  }));
}

/** What a command pays, and from when on it sends: the next full minute, so that nobody who keeps to it is early. */
function payingText({ asked }: EndState, offer: Offer | null, { ending: say, moment }: Phrases): string {
  const from = asked === null ? '' : say.after(moment(Math.ceil(asked.until / 60_000) * 60_000, asked.now));
  return `${say.forPoints(offer)}${from}`;
}

/** First of all that sends rows. */
function pauseStep(
  { isInUse, isPaused, counts, words }: EndState,
  { ending: say }: Phrases,
): NextStep | null {
  const waits = counts.pending + counts.failed + counts.rejected + counts.lost > 0;
  return isPaused && waits && !isInUse
    ? { command: `batch continue ${words.run}`, why: say.endsPause }
    : null;
}

/** A run that is elsewhere, or on its way, refuses every command that changes it here. */
function moveStep({ state, place }: MoveMark, { run }: RunWords, { ending: say }: Phrases): NextStep {
  return state === 'moved'
    ? { command: `batch resume ${place}`, why: say.moved }
    : { command: `batch move ${place} ${run}`, why: say.moving };
}

/** While a run in a folder is active, every other command is refused. */
function watchStep({ words }: EndState, { ending: say }: Phrases): NextStep {
  return { command: `batch status ${words.run}`, why: say.watch };
}

/** Rows that wait for the videos of others. */
function heldStep({ heldRows = 0, words }: EndState, { ending: say }: Phrases): NextStep | null {
  return heldRows === 0 ? null : { command: `batch resume ${words.run}`, why: say.takesVideos(heldRows) };
}

/** All rows have ended, but the disk refused the reports. */
function reportStep({ reason, words }: EndState, { ending: say }: Phrases): NextStep | null {
  return reason === 'disk' ? { command: `batch report ${words.run}`, why: say.report } : null;
}

/** A table of failed rows may have lost them on its way through a spreadsheet. */
function backStep({ gone, words, offers }: EndState, { ending: say }: Phrases): NextStep | null {
  const rows = Object.values(gone).reduce((sum, count) => sum + count, 0);
  return rows === 0
    ? null
    : { command: `batch ${readingWords(offers?.input, words)}`, why: say.backInFile(rows) };
}

/** Nothing is left to do except look at the videos. */
function viewStep({ words }: EndState, { ending: say }: Phrases): NextStep {
  return { command: `batch view --open ${words.run}`, why: say.view };
}

/** Several rows are settled as one table. */
function settleAllStep({ counts, words }: EndState, say: Phrases): NextStep {
  const hint = say.ending.settleAll(`batch resolve ${words.run} --from uncertain.csv`);
  return {
    command: `batch ${listWords(words.run)}`,
    why: say.ending.rowsAre(counts.uncertain, say.status.uncertain, hint),
  };
}

/** What rows of a status need: the command, and the name of what to know before typing it. */
interface Order {
  readonly status: Status;
  command(end: EndState): string;
  readonly hint: keyof Phrases['ending']['hints'];
  /** True where only rows of the file can be helped this way, and are paid for. */
  readonly isPaid?: boolean;
}

const orders = {
  uncertain: {
    status: 'uncertain',
    command: ({ words: { run }, uncertainId }) => `batch ${resolveWords(run, uncertainId ?? 'ID')}`,
    hint: 'uncertain',
  },
  undelivered: {
    status: 'undelivered',
    command: ({ words: { run } }) => `batch collect ${run}`,
    hint: 'undelivered',
  },
  failed: {
    status: 'failed',
    command: ({ words: { run } }) => `batch retry ${run} --failed`,
    hint: 'failed',
    isPaid: true,
  },
  rejected: {
    status: 'rejected',
    command: ({ words: { run } }) => `batch retry ${run} --rejected`,
    hint: 'rejected',
    isPaid: true,
  },
  /** What is free comes before what is paid for again: the task may still exist. */
  lost: {
    status: 'lost',
    command: ({ words: { run } }) => `batch collect ${run}`,
    hint: 'lost',
  },
  forgotten: {
    status: 'lost',
    command: ({ words: { run } }) => `batch retry ${run} --lost`,
    hint: 'forgotten',
    isPaid: true,
  },
  invalid: {
    status: 'invalid',
    command: ({ offers, words }) => `batch ${readingWords(offers?.input, words)}`,
    hint: 'invalid',
  },
} satisfies Readonly<Record<string, Order>>;

function stepFor(
  end: EndState,
  { status, command, hint, isPaid = false }: Order,
  say: Phrases,
): NextStep | null {
  const { counts, heldRows = 0, gone, offers } = end;
  const offer = isPaid && offers !== null ? offerOf(offers, status) : null;
  const others = isPaid ? (gone[status] ?? 0) : status === 'invalid' ? heldRows : 0;
  const known = counts[status] - others;
  const count = isPaid && offers !== null ? (offer?.rows ?? 0) : known;
  if (count === (offer?.before ?? 0)) return null;
  const options = isPaid ? payingOptions(offers, offer, true) : '';
  const does = `${say.ending.hints[hint]}${isPaid ? payingText(end, offer, say) : ''}`;
  return { command: `${command(end)}${options}`, why: say.ending.rowsAre(count, say.status[status], does) };
}

function offerOf(offers: Offers, status: Status): Offer | null {
  return status === 'failed' || status === 'rejected' || status === 'lost' ? offers[status] : null;
}

/** Submits what waits. */
function resumeStep(end: EndState, say: Phrases): NextStep | null {
  const { counts, reason, words, sample, offers } = end;
  const offer = offers?.waiting ?? null;
  const rows = offers === null ? counts.pending : (offer?.rows ?? 0);
  // Where retries ordered all that waits, their own commands send the same rows.
  if (rows === (offer?.before ?? 0)) return null;
  const isUnknown = offers === null && (reason === 'points-cap' || reason === 'unpriced');
  const options = isUnknown ? ' --max-points none' : payingOptions(offers, offer, false);
  // Without it, the command would pay for all the rest before the pilot has shown what that costs.
  const pilot = sample === null ? '' : ` --sample ${sample}`;
  const notes = [
    ...(isMendable(reason, say.ending) ? [say.ending.beforeResuming[reason]] : []),
    ...(sample === null ? [] : [say.ending.sampleAlone]),
  ];
  const left = `${say.ending.left(rows, [])}${payingText(end, offer, say)}`;
  return { command: `batch resume ${words.run}${options}${pilot}`, why: say.ending.withNotes(left, notes) };
}

function isMendable(reason: EndingReason, { beforeResuming }: Phrases['ending']): reason is MendableEnding {
  return reason in beforeResuming;
}
