/** `batch resume` and `batch collect`: continue from the checkpoint alone, with or without submitting. */

import type { OpenedRun } from '../../app/begin-work.ts';
import { countEnded, type EndedOrder, endedOrders } from '../../app/offers/ended-finals.ts';
import type { Invocation } from '../../app/options/invocation.ts';
import type { Options, RawOptions } from '../../app/options/options.ts';
import { readInvocation } from '../../app/options/settings.ts';
import { imagesOf } from '../../app/pictures/run-images.ts';
import type { Handle } from '../../cli/command.ts';
import { agreesToService, askPlace, askToSubmit, submissionLines } from '../../cli/confirm.ts';
import { printNotice } from '../../cli/console.ts';
import { givenOptions } from '../../cli/flags/flag.ts';
import { goOnGroups, payOnGroups } from '../../cli/flags/run-flags.ts';
import { savingWork } from '../../cli/long-work.ts';
import { type Message, message } from '../../messages/message.ts';
import { addQualities, noRows, type QualityCounts, withoutCounts } from '../../money/forecast/estimate.ts';
import { paidRowsOf } from '../../money/paid-rows.ts';
import { unusedCorrections } from '../../money/review/named-row.ts';
import type { Ledger } from '../../money/summary.ts';
import type { Store } from '../../stores/port/store.ts';
import { type Phrases, phrasesOf } from '../../terminal/phrases/phrases.ts';
import { planSaved, type ReusedRows } from '../reuse/plan-reuse.ts';
import { tryOut } from './dry-run.ts';
import type { EstimateText } from './estimate-text.ts';
import { noteAgreement } from './note-agreement.ts';
import { renderEnded, renderReuse } from './plan-text.ts';
import { runInTerminal } from './run-in-terminal.ts';
import { estimateOf, reuseJson } from './run-plan.ts';
import { continueRun, countMended, type MendedCounts } from './start-run.ts';

/** Continues the run in `dir`. Returns the exit code. */
export async function resume(dir: string, flags: RawOptions, submits: boolean): Promise<number> {
  const invocation = readInvocation(flags, { out: dir });
  if (invocation.options['dry-run']) return tryResuming(invocation);
  const say = phrasesOf(invocation.language);
  using saving = savingWork(invocation);
  const note = (said: Message): void => {
    if (!invocation.options.quiet) printNotice(say.render(said));
  };
  const agree = async (opened: OpenedRun, mended: MendedCounts): Promise<boolean> => {
    if (!submits) return agreesToService(opened, say);
    const unused = unusedCorrections(invocation.named);
    if (unused !== null) printNotice(say.progress.warning + say.render(unused));
    const reuse = await planSaved(
      { ...opened, say: note, pays: true },
      await opened.store.checkpoint.ledger(),
    );
    const ended = await endedOrders(opened.store);
    const text = await waitingText(opened, { reuse, ended }, mended.rows);
    const { options } = opened;
    const lines = [...linesOf({ reuse, ended }, mended, say), ...submissionLines(text, say)];
    if (!options.quiet) for (const line of lines) printNotice(line);
    const agreement = await askToSubmit(text, options, say);
    if (agreement === null || !(await agreesToService(opened, say))) return false;
    await noteAgreement(opened, agreement, text);
    saving.begin(0);
    return true;
  };
  const code = await continueRun({
    submits,
    invocation,
    agree,
    askPlace: (options) => askPlace(options, say),
    note,
    session: (setup) => {
      saving[Symbol.dispose]();
      return runInTerminal(setup, { isAgreed: true });
    },
  });
  return code ?? 2;
}

/** Invalid rows that can be sent now count as pending, because a run makes them so first. */
function tryResuming(invocation: Invocation): Promise<number> {
  return tryOut(invocation, async (opened) => {
    const { store } = opened;
    const mended = await countMended(opened, imagesOf(invocation.out));
    const say = phrasesOf(invocation.language);
    const saying = (said: Message): void => printNotice(say.render(said));
    const reuse = await planSaved({ ...opened, say: saying, pays: false }, await store.checkpoint.ledger());
    const facts = reuse === null ? {} : { reuse: reuseJson(reuse) };
    const ended = await endedOrders(store);
    const lines = linesOf({ reuse, ended }, mended, say);
    return { text: await waitingText(opened, { reuse, ended }, mended.rows), lines, facts };
  });
}

/** Rows that wait, and are not paid for. */
interface Unsent {
  readonly reuse: ReusedRows | null;
  readonly ended: readonly EndedOrder[];
}

/** What is to be known of the rows before their price. */
function linesOf({ reuse, ended }: Unsent, { odd }: MendedCounts, say: Phrases): readonly string[] {
  const sent = odd === 0 ? [] : [say.render(message('rows.odd-unheld', { count: odd }))];
  return [...sent, ...renderEnded(ended, say), ...renderReuse(reuse, say)];
}

/** What the continued run submits. */
async function waitingText(
  { store, options, invocation: { words, language } }: OpenedRun,
  { reuse, ended }: Unsent,
  more: QualityCounts = noRows,
): Promise<EstimateText> {
  const ledger = await store.checkpoint.ledger();
  const isPriced = ledger.largestPoints.size > 0 || ended.length > 0;
  const all = addQualities(more, await waitingRows(store, isPriced ? null : ledger, options));
  const waiting = withoutCounts(all, await countEnded(store, ended, paidRowsOf(options)));
  const counts = reuse === null ? waiting : withoutCounts(waiting, reuse.counts);
  const command = `batch resume ${words.run}`;
  const lengths = (oneOf: number) => store.totals.pendingLengths(paidRowsOf(options), oneOf);
  return estimateOf({
    counts,
    ledger,
    store,
    options,
    command,
    say: phrasesOf(language),
    lengths,
  });
}

/** Qualities matter only to the estimate: without a known price there is no need to scan a million rows. */
async function waitingRows(
  { totals }: Store,
  unpriced: Ledger | null,
  { only, reuse = [] }: Options,
): Promise<QualityCounts> {
  return only === undefined && unpriced !== null && reuse.length === 0
    ? { ...noRows, none: unpriced.counts.pending }
    : totals.pendingQualities(paidRowsOf({ only }));
}

export const handleResume: Handle = async (argv) => {
  process.exitCode = await resume(String(argv.dir), givenOptions(argv, payOnGroups), true);
};

export const handleCollect: Handle = async (argv) => {
  process.exitCode = await resume(String(argv.dir), givenOptions(argv, goOnGroups), false);
};
