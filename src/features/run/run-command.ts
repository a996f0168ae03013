/** `batch run FILE`: reads the questions, submits, polls, downloads, reports. The same command resumes. */

import type { PlanEvent } from '../../app/events/events.ts';
import { planOfFile } from '../../app/events/run-events.ts';
import { sharedOf } from '../../app/options/invocation.ts';
import type { RawOptions } from '../../app/options/options.ts';
import { readInvocation, refuseBadKeyFile } from '../../app/options/settings.ts';
import { shownName, standardInput } from '../../app/options/standard-input.ts';
import type { RunSetup } from '../../app/session.ts';
import type { Handle } from '../../cli/command.ts';
import { agreesToService, askPlace, askToSubmit } from '../../cli/confirm.ts';
import { printJson, printNotice, printResult } from '../../cli/console.ts';
import { givenOptions } from '../../cli/flags/flag.ts';
import { runGroups } from '../../cli/flags/run-flags.ts';
import { readingWork, savingWork } from '../../cli/long-work.ts';
import { UsageError } from '../../errors.ts';
import { type Message, message } from '../../messages/message.ts';
import { unusedCorrections } from '../../money/review/named-row.ts';
import { renderStatusJson } from '../../reports/status-json.ts';
import type { DetachedOutput } from '../../schemas/run-state.ts';
import { type Phrases, phrasesOf } from '../../terminal/phrases/phrases.ts';
import { typedCommand } from '../../text/run-words.ts';
import type { ImportPlan } from '../import/import-file.ts';
import { firstUnsendable } from '../import/unsendable-lines.ts';
import { checkFile } from './check-file.ts';
import { type Agreement, noteAgreement } from './note-agreement.ts';
import { type PlanText, renderPlan } from './plan-text.ts';
import { runInTerminal } from './run-in-terminal.ts';
import { planJson, planTextOf } from './run-plan.ts';
import { startRun } from './start-run.ts';

/** Runs the questions of `file`, or of the job file's `input`. Returns the exit code. */
export async function run(
  file: string | undefined,
  job: string | undefined,
  flags: RawOptions,
): Promise<number> {
  const invocation = readInvocation(flags, job === undefined ? {} : { job });
  const named = file ?? invocation.options.input;
  const input = named === '-' ? standardInput : named;
  if (input === undefined) throw new UsageError(message('usage.no-input'));
  if (invocation.options['dry-run']) {
    refuseBadKeyFile(invocation, invocation.options);
    return checkFile(input, invocation);
  }
  const say = phrasesOf(invocation.language);
  let plan: PlanText | null = null;
  let event: PlanEvent | null = null;
  using saving = savingWork(invocation);
  const code = await startRun({
    input,
    invocation,
    agree: async (importPlan) => {
      plan = await planTextOf({ input, invocation, ...importPlan });
      event = planOfFile(input, importPlan);
      const unused = unusedCorrections(invocation.named);
      if (unused !== null) printNotice(say.progress.warning + say.render(unused));
      // A refused command leaves the run as it was.
      const agreement = await agree(plan, importPlan, invocation.outShown, say);
      if (agreement === null || !(await agreesToService({ invocation, options: importPlan.options }, say)))
        return false;
      await noteAgreement({ store: importPlan.store, invocation }, agreement, plan);
      saving.begin(importPlan.staged.plan.rows);
      return true;
    },
    askPlace: (options) => askPlace(options, say),
    ...(invocation.options.quiet
      ? {}
      : {
          reading: () => readingWork(shownName(input), invocation),
          note: (said: Message) => printNotice(say.render(said)),
        }),
    session: (setup) => {
      saving[Symbol.dispose]();
      const more = plan === null ? {} : { plan: planJson(plan) };
      return invocation.options.detach
        ? leaveToWorkers(setup, more)
        : runInTerminal(setup, { more, plan: event, isAgreed: true });
    },
  });
  return code ?? 2;
}

/** Ends with the file imported: workers do the rest. */
async function leaveToWorkers(
  { store, invocation }: RunSetup,
  more: Pick<DetachedOutput, 'plan'>,
): Promise<number> {
  const { outShown, options, words } = invocation;
  sharedOf(invocation, message('refused.detach'));
  const next = typedCommand(`batch worker ${words.run}`);
  const ledger = await store.checkpoint.ledger();
  const { render, ending } = phrasesOf(invocation.language);
  if (options.json)
    printJson({ ...renderStatusJson(ledger, outShown), next, ...more } satisfies DetachedOutput);
  else
    printResult(
      `${render(message('detach.imported'))} ${ending.firstStep}${render(message('detach.anywhere', { command: next }))}`,
    );
  return 0;
}

/** Prints the plan and asks. */
async function agree(
  text: PlanText,
  { staged, options }: ImportPlan,
  folder: string,
  say: Phrases,
): Promise<Agreement | null> {
  if (!options.quiet) {
    const unsendable = await firstUnsendable(text.file, staged, folder, say);
    for (const line of [...renderPlan(text, say), ...unsendable]) printNotice(line);
  }
  return askToSubmit(text, options, say);
}

export const handle: Handle = async (argv) => {
  const { job, ...flags } = givenOptions(argv, runGroups);
  if (Array.isArray(job)) throw new UsageError(message('refused.job-twice'));
  if (job === '') throw new UsageError(message('refused.empty-job'));
  process.exitCode = await run(argv.file as string | undefined, job as string | undefined, flags);
};
