/** `batch retry`: orders a new, paid attempt for rows that ended badly, then continues like `resume`. */

import { refuseMended } from '../app/mended-tables.ts';
import type { RawOptions } from '../app/options.ts';
import { planRetry, type RetryChoice, type RetryPlan, retryRows } from '../app/retry-rows.ts';
import { imagesOf } from '../app/run-images.ts';
import { type Invocation, readInvocation } from '../app/settings.ts';
import type { OpenedRun } from '../app/start-run.ts';
import { countQualities } from '../core/estimate.ts';
import { allWaiting } from '../core/paid-rows.ts';
import { UsageError } from '../errors.ts';
import type { Store } from '../store.ts';
import type { EstimateText } from '../terminal/estimate-text.ts';
import { phrasesOf } from '../terminal/phrases/phrases.ts';
import { toTerminalLine, toTerminalText } from '../terminal/terminal-text.ts';
import type { Handle } from './command.ts';
import { askPlace, isConfirmed, submissionLines } from './confirm.ts';
import { printNotice } from './console.ts';
import { tryOut } from './dry-run.ts';
import { givenOptions, payOnGroups } from './flags.ts';
import { refuseEmpty, retryNotices, retryWarnings } from './retry-lines.ts';
import { agreesToService, runInTerminal } from './run-in-terminal.ts';
import { estimateOf } from './run-plan.ts';

/** Orders the attempts and continues the run. Returns the exit code. */
export async function retry(dir: string, choice: RetryChoice, flags: RawOptions): Promise<number> {
  const invocation = readInvocation(flags, { out: dir });
  checkChoice(choice, invocation.named !== null);
  const say = phrasesOf(invocation.language);
  if (invocation.options['dry-run']) return tryRetrying(invocation, choice);
  const agree = async (
    opened: OpenedRun & { readonly invocation: Invocation },
    plan: RetryPlan,
  ): Promise<boolean> => {
    await refuseMended(opened);
    const { store, options } = opened;
    refuseEmpty(plan, choice);
    const text = await textOf(plan, store, invocation);
    for (const line of retryWarnings(plan)) printNotice(toTerminalText(say.told(line)));
    if (!options.quiet)
      for (const line of [...retryNotices(plan).map(say.told), ...submissionLines(text, say)])
        printNotice(line);
    // A refused command leaves the rows as they were.
    const isPaying = await isConfirmed(text, options, say, plan.completed.length > 0);
    return isPaying && (await agreesToService({ invocation, options, store }, say));
  };
  const code = await retryRows({
    invocation,
    choice,
    agree,
    askPlace: (options) => askPlace(options, say),
    session: (setup) => runInTerminal(setup, { isAgreed: true }),
  });
  return code ?? 2;
}

function tryRetrying(invocation: Invocation, choice: RetryChoice): Promise<number> {
  // `planRetry` checks the named rows.
  const { only: _, ...options } = invocation.options;
  const { told } = phrasesOf(invocation.language);
  return tryOut({ ...invocation, options }, async (opened) => {
    await refuseMended(opened);
    const plan = await planRetry(
      opened,
      invocation.named,
      choice,
      invocation.shared === null ? imagesOf(invocation.out) : null,
    );
    refuseEmpty(plan, choice);
    return {
      text: await textOf(plan, opened.store, invocation),
      lines: [...retryWarnings(plan), ...retryNotices(plan)].map((line) => toTerminalLine(told(line))),
      facts: {
        newAttempts: countQualities(plan.attempts),
        paidAgain: plan.completed.map(({ id }) => id),
        corrected: plan.corrections.rows,
      },
    };
  });
}

/** What the continued run submits. */
function textOf(plan: RetryPlan, store: Store, { language }: Invocation): Promise<EstimateText> {
  const { paid: counts, ledger, options } = plan;
  // Of rows that get a new attempt too: nothing else is known of their lengths.
  const lengths = (oneOf: number) => store.totals.pendingLengths(allWaiting, oneOf);
  return estimateOf({
    ...{ counts, ledger, store, options, command: null, pilot: '--limit', say: phrasesOf(language), lengths },
    sendsAlike: false,
  });
}

/** Throws when no rows are chosen, or a text is empty. */
function checkChoice(
  { statuses, failure, until, attempt, unsent, withGone }: RetryChoice,
  isByName: boolean,
): void {
  if (failure?.trim() === '')
    throw new UsageError('--failure is empty; use a part of the text in report.csv');
  if (unsent !== null) {
    if (statuses.length > 0 || isByName || failure !== null || until !== null || withGone)
      throw new UsageError('--unsent N names all its rows; leave out the other choices of rows');
    return;
  }
  if (attempt !== null && !isByName) throw new UsageError('--attempt N goes with --only ID,ID');
  if (until !== null && (isByName || statuses.length === 0))
    throw new UsageError('--until N goes with --failed, --rejected or --lost alone');
  if (statuses.length > 0 || isByName) return;
  throw new UsageError(
    failure === null
      ? 'choose rows with --failed, --rejected, --lost, or --only ID,ID'
      : '--failure narrows a choice of rows down: add --failed, --rejected or --lost',
  );
}

function numberOf(name: string, value: unknown): number | null {
  if (value === undefined) return null;
  if (typeof value === 'string' && /^\d{1,9}$/.test(value)) return Number(value);
  throw new UsageError(`--${name}: ${JSON.stringify(value)} is not valid; use a whole number`);
}

export const handle: Handle = async (argv) => {
  const statuses = (['failed', 'rejected', 'lost'] as const).filter((status) => argv[status] === true);
  const { failure = null, gone } = argv;
  if (failure !== null && typeof failure !== 'string')
    throw new UsageError('--failure was given more than once; give it once');
  const flags = givenOptions(argv, payOnGroups);
  const [until, attempt, unsent] = ['until', 'attempt', 'unsent'].map((name) => numberOf(name, argv[name]));
  const choice = {
    ...{ statuses, failure, withGone: gone === true },
    ...{ until: until ?? null, attempt: attempt ?? null, unsent: unsent ?? null },
  };
  process.exitCode = await retry(String(argv.dir), choice, flags);
};
