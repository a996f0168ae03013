/** `batch retry`: orders a new, paid attempt for rows that ended badly, then continues like `resume`. */

import type { RawOptions } from '../app/options.ts';
import { planRetry, type RetryChoice, type RetryPlan, retryRows } from '../app/retry-rows.ts';
import { type Invocation, readInvocation } from '../app/settings.ts';
import type { OpenedRun } from '../app/start-run.ts';
import { addQualities, countQualities } from '../core/estimate.ts';
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
import { runInTerminal } from './run-in-terminal.ts';
import { estimateOf } from './run-plan.ts';

/** Orders the attempts and continues the run. Returns the exit code. */
export async function retry(dir: string, choice: RetryChoice, flags: RawOptions): Promise<number> {
  const invocation = readInvocation(flags, { out: dir });
  checkChoice(choice, invocation.named !== null);
  const say = phrasesOf(invocation.language);
  if (invocation.options['dry-run']) return tryRetrying(invocation, choice);
  const agree = async ({ store, options }: OpenedRun, plan: RetryPlan): Promise<boolean> => {
    refuseEmpty(plan, choice);
    const text = await textOf(plan, store, invocation);
    for (const line of retryWarnings(plan)) printNotice(toTerminalText(say.told(line)));
    if (!options.quiet)
      for (const line of [...retryNotices(plan).map(say.told), ...submissionLines(text, say)])
        printNotice(line);
    return isConfirmed(text, options, say, plan.completed.length > 0);
  };
  const code = await retryRows({
    invocation,
    choice,
    agree,
    askPlace: (options) => askPlace(options, say),
    session: runInTerminal,
  });
  return code ?? 2;
}

function tryRetrying(invocation: Invocation, choice: RetryChoice): Promise<number> {
  // `planRetry` checks the named rows.
  const { only: _, ...options } = invocation.options;
  const { told } = phrasesOf(invocation.language);
  return tryOut({ ...invocation, options }, async (opened) => {
    const plan = await planRetry(opened, invocation.named, choice);
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
function textOf(plan: RetryPlan, store: Store, { words, language }: Invocation): Promise<EstimateText> {
  const { attempts, waiting, ledger, options } = plan;
  const command = `batch resume ${words.run}`;
  // Of rows that get a new attempt too: nothing else is known of their lengths.
  const lengths = (oneOf: number) => store.totals.pendingLengths(null, oneOf);
  const counts = addQualities(attempts, waiting);
  return estimateOf({ counts, ledger, store, options, command, say: phrasesOf(language), lengths });
}

/** Throws when no rows are chosen, or a text is empty. */
function checkChoice({ statuses, failure }: RetryChoice, isByName: boolean): void {
  if (failure?.trim() === '')
    throw new UsageError('--failure is empty; use a part of the text in report.csv');
  if (statuses.length > 0 || isByName) return;
  throw new UsageError(
    failure === null
      ? 'choose rows with --failed, --rejected, --lost, or --only ID,ID'
      : '--failure narrows a choice of rows down: add --failed, --rejected or --lost',
  );
}

export const handle: Handle = async (argv) => {
  const statuses = (['failed', 'rejected', 'lost'] as const).filter((status) => argv[status] === true);
  const { failure = null, gone } = argv;
  if (failure !== null && typeof failure !== 'string')
    throw new UsageError('--failure was given more than once; give it once');
  const flags = givenOptions(argv, payOnGroups);
  process.exitCode = await retry(String(argv.dir), { statuses, failure, withGone: gone === true }, flags);
};
