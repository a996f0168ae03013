/** `batch retry`: orders a new, paid attempt for rows that ended badly, then continues like `resume`. */

import type { OpenedRun } from '../../app/begin-work.ts';
import { placeOf } from '../../app/open-run.ts';
import { invalidOption } from '../../app/options/invalid-option.ts';
import type { Invocation } from '../../app/options/invocation.ts';
import { parseOptions } from '../../app/options/job-file.ts';
import type { RawOptions } from '../../app/options/options.ts';
import { readInvocation } from '../../app/options/settings.ts';
import type { Handle } from '../../cli/command.ts';
import { agreesToService, askPlace, askToSubmit, submissionLines } from '../../cli/confirm.ts';
import { printNotice } from '../../cli/console.ts';
import { givenOptions } from '../../cli/flags/flag.ts';
import { payOnGroups } from '../../cli/flags/run-flags.ts';
import { UsageError } from '../../errors.ts';
import { wholeNumber } from '../../messages/choices.ts';
import { type Message, message } from '../../messages/message.ts';
import { countQualities } from '../../money/forecast/estimate.ts';
import type { Quality } from '../../money/item.ts';
import { allWaiting } from '../../money/paid-rows.ts';
import { statusesWith } from '../../money/statuses.ts';
import type { Store } from '../../stores/port/store.ts';
import { type Phrases, phrasesOf } from '../../terminal/phrases/phrases.ts';
import { toTerminalLine, toTerminalText } from '../../terminal/terminal-text.ts';
import { refuseMended } from '../import/mended-tables.ts';
import { countSpared } from '../reuse/plan-reuse.ts';
import { tryOut } from '../run/dry-run.ts';
import type { EstimateText } from '../run/estimate-text.ts';
import { noteAgreement, noteOdd } from '../run/note-agreement.ts';
import { renderReuse } from '../run/plan-text.ts';
import { runInTerminal } from '../run/run-in-terminal.ts';
import { estimateOf, reuseJson } from '../run/run-plan.ts';
import {
  type Promotion,
  planRetry,
  type RetryChoice,
  type RetryPlan,
  withoutReusedRows,
} from './plan-retry.ts';
import { pointsOfOthers, refuseEmpty, retryNotices, retryWarnings } from './retry-lines.ts';
import { isIdle, retryRows } from './retry-rows.ts';

/** Orders the attempts and continues the run. Returns the exit code. */
export async function retry(dir: string, choice: RetryChoice, flags: RawOptions): Promise<number> {
  // The quality of finals is theirs alone: saved with the run, later drafts would have it.
  const { quality: _, ...others } = flags;
  const invocation = readInvocation(choice.final === null ? flags : others, {
    out: dir,
    mark: choice.final === null ? 'bad' : 'good',
  });
  checkChoice(choice, invocation.named !== null);
  refuseMadeTables(invocation, choice);
  if (choice.final !== null) checkMarks(invocation);
  const say = phrasesOf(invocation.language);
  if (invocation.options['dry-run']) return tryRetrying(invocation, choice);
  const agree = async (opened: OpenedRun, plan: RetryPlan): Promise<boolean> => {
    await refuseMended(opened);
    const { store, options } = opened;
    refuseEmpty(plan, choice);
    const text = await textOf(plan, store, invocation);
    for (const line of retryWarnings(plan, say)) printNotice(toTerminalText(line));
    if (!options.quiet)
      for (const line of [...planLines(plan, opened, say), ...submissionLines(text, say)]) printNotice(line);
    // A refused command leaves the rows as they were.
    const agreement = await askToSubmit(text, options, say, plan.completed.length > 0);
    // Where nothing is sent, an address of the run itself needs no word; another one would be saved.
    const isFree = isIdle(plan) && invocation.addressFrom === null;
    if (agreement === null || !(isFree || (await agreesToService(opened, say)))) return false;
    // A retry notes its rows, each with its price.
    if (agreement !== 'unasked') await noteAgreement(opened, agreement, text);
    await noteOdd(opened, plan.oddCorrections);
    return true;
  };
  const code = await retryRows({
    invocation,
    choice,
    agree,
    askPlace: (options) => askPlace(options, say),
    ...(invocation.options.quiet ? {} : { note: (said: Message) => printNotice(say.render(said)) }),
    session: (setup) => runInTerminal(setup, { isAgreed: true }),
  });
  return code ?? 2;
}

function tryRetrying(invocation: Invocation, choice: RetryChoice): Promise<number> {
  // `planRetry` checks the named rows.
  const { only: _, ...options } = invocation.options;
  const say = phrasesOf(invocation.language);
  return tryOut({ ...invocation, options }, async (opened) => {
    await refuseMended(opened);
    const images = (await placeOf(invocation)).images(invocation);
    const aids = { images, naming: opened.invocation.naming, odd: opened.invocation.options.odd };
    const saying = (said: Message): void => printNotice(say.render(said));
    const plan = await withoutReusedRows(
      { ...opened, say: saying, pays: false },
      await planRetry(opened, opened.invocation.named, choice, aids),
    );
    const reuse = plan.reused?.reuse ?? null;
    refuseEmpty(plan, choice);
    return {
      text: await textOf(plan, opened.store, invocation),
      lines: [...retryWarnings(plan, say), ...planLines(plan, opened, say)].map(toTerminalLine),
      facts: {
        newAttempts: countQualities(plan.attempts) - (reuse === null ? 0 : countSpared(reuse)),
        paidAgain: plan.completed.map(({ id }) => id),
        corrected: plan.corrections.rows,
        ...(reuse === null ? {} : { reuse: reuseJson(reuse) }),
        ...(plan.promotion === null ? {} : { final: finalFacts(plan.promotion) }),
      },
    };
  });
}

/** What the retry does, and what it need not pay for, or pays for twice. */
function planLines(plan: RetryPlan, { invocation: { words } }: OpenedRun, say: Phrases): readonly string[] {
  const { reuse = null, paidTwice = 0 } = plan.reused ?? {};
  return [
    ...retryNotices(plan).map(say.render),
    ...renderReuse(reuse, say),
    ...(paidTwice === 0 ? [] : [say.plan.paidTwice(paidTwice, words.run || './videos')]),
  ];
}

function finalFacts({ quality, each, had, others }: Promotion): object {
  return { quality, points: each, had, others: { rows: others, points: pointsOfOthers({ each, others }) } };
}

/** What the continued run submits. */
function textOf(plan: RetryPlan, store: Store, { language }: Invocation): Promise<EstimateText> {
  const { paid: counts, ledger, options } = plan;
  // Of rows that get a new attempt too: nothing else is known of their lengths.
  const lengths = (oneOf: number) => store.totals.pendingLengths(allWaiting, oneOf);
  return estimateOf({
    counts,
    ledger,
    store,
    options,
    command: null,
    pilot: '--limit',
    say: phrasesOf(language),
    lengths,
    sendsAlike: false,
  });
}

/** Throws when no rows are chosen, or a text is empty. */
function checkChoice(
  { statuses, failure, until, attempt, marked, unsent, withGone, final }: RetryChoice,
  isOnly: boolean,
): void {
  if (failure?.trim() === '') throw new UsageError(message('retry.failure-empty'));
  if (final !== null) {
    const other = [failure, until, attempt, unsent].some((one) => one !== null);
    if (other || statuses.length > 0 || marked || withGone) throw new UsageError(message('retry.good-alone'));
    return;
  }
  if (marked && isOnly) throw new UsageError(message('retry.marked-alone'));
  const isByName = isOnly || marked;
  if (unsent !== null) {
    if (statuses.length > 0 || isByName || failure !== null || until !== null || withGone)
      throw new UsageError(message('retry.unsent-alone'));
    return;
  }
  if (attempt !== null && !isOnly) throw new UsageError(message('retry.attempt-with-only'));
  if (until !== null && (isByName || statuses.length === 0))
    throw new UsageError(message('retry.until-alone'));
  if (statuses.length > 0 || isByName) return;
  throw new UsageError(message(failure === null ? 'retry.choose' : 'retry.failure-narrows'));
}

/** Throws for a table of all rows that names none of them by a mark: each use of it would pay for all videos again. */
function refuseMadeTables({ naming }: Invocation, { statuses }: RetryChoice): void {
  const made = (naming?.tables ?? []).find(
    ({ kind, isMarked }) => !isMarked && (kind === 'report' || kind === 'manifest'),
  );
  if (made !== undefined && statuses.length === 0)
    throw new UsageError(message('retry.made-table', { file: made.place }));
}

/** Typed ids, and tables without marks, do not say that anybody watched the videos. */
function checkMarks({ naming }: Invocation): void {
  const tables = naming?.tables ?? [];
  if ((naming?.typed ?? []).length > 0 || tables.some(({ isMarked }) => !isMarked))
    throw new UsageError(message('retry.good-needs-marks'));
}

/** The quality of finals; null without `--good`. */
function finalIn({ good, quality }: Parameters<Handle>[0]): Quality | null {
  if (good !== true) return null;
  const { quality: parsed } = parseOptions({ quality }, (name) => `--${name}`);
  if (parsed === undefined) throw new UsageError(message('retry.good-needs-quality'));
  return parsed;
}

function numberIn(argv: Parameters<Handle>[0], name: 'until' | 'attempt' | 'unsent'): number | null {
  const value = argv[name];
  if (value === undefined) return null;
  if (typeof value === 'string' && /^\d{1,9}$/.test(value)) return Number(value);
  const option = `--${name}`;
  throw typeof value === 'string'
    ? invalidOption(option, value, wholeNumber(0))
    : new UsageError(message('refused.whole-number', { option, value: JSON.stringify(value) }));
}

export const handle: Handle = async (argv) => {
  const statuses = statusesWith('retried').filter((status) => argv[status] === true);
  const { failure = null, gone } = argv;
  if (failure !== null && typeof failure !== 'string') throw new UsageError(message('refused.failure-twice'));
  const flags = givenOptions(argv, payOnGroups);
  const choice = {
    statuses,
    failure,
    withGone: gone === true,
    marked: argv.marked === true,
    until: numberIn(argv, 'until'),
    attempt: numberIn(argv, 'attempt'),
    unsent: numberIn(argv, 'unsent'),
    final: finalIn(argv),
  };
  process.exitCode = await retry(String(argv.dir), choice, flags);
};
