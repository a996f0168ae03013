/**
 * Runs started by a program. They print nothing, ask nothing, handle no signals and never end the process: they report
 * by events and a promise.
 */

import type { OpenedRun } from '../app/begin-work.ts';
import type { BatchRun, BatchSummary } from '../app/events/events.ts';
import { planOfCheckpoint, planOfFile } from '../app/events/run-events.ts';
import type { Invocation } from '../app/options/invocation.ts';
import { writeForThisSystem } from '../app/program.ts';
import { summaryOf } from '../app/run-summary.ts';
import { UsageError } from '../errors.ts';
import type { ImportPlan } from '../features/import/import-file.ts';
import { continueRun, startRun } from '../features/run/start-run.ts';
import type { Message } from '../messages/message.ts';
import { createLedger, type Ledger } from '../money/summary.ts';
import { shellPath } from '../text/shell-word.ts';
import type { CommonOptions, ResumeOptions, RunOptions } from './options.ts';
import { ProgramRun } from './program-run.ts';
import { readProgramOptions, signalOf } from './read-options.ts';

writeForThisSystem();

/**
 * Makes a video of every question in the file, or resumes this work: no row is paid for twice. No question is asked:
 * calling this is consent to pay.
 */
export function runBatch(options: RunOptions): BatchRun {
  return new ProgramRun(signalOf(options), async (run) => {
    const invocation = readProgramOptions(options);
    const { input } = options;
    if (typeof input !== 'string')
      throw new UsageError('input: use the path of an Excel, CSV, JSONL or Parquet file');
    const session = run.session.bind(run);
    let ledger = createLedger();
    const agree = (importPlan: ImportPlan): Promise<boolean> => {
      ledger = importPlan.ledger;
      return run.agree(planOfFile(input, importPlan));
    };
    const summary = await startRun({ input, invocation, agree, askPlace, session });
    return summary ?? declinedFile(input, invocation, ledger);
  });
}

/** Resumes the run of an output folder without its file: submits what is pending. */
export function resumeBatch(options: ResumeOptions): BatchRun {
  return goOn(options, true);
}

/** Polls and downloads what is already paid, and submits nothing. */
export function collectBatch(options: CommonOptions): BatchRun {
  return goOn(options, false);
}

function goOn(options: ResumeOptions, submits: boolean): BatchRun {
  return new ProgramRun(signalOf(options), async (run) => {
    const invocation = readProgramOptions(options);
    const session = run.session.bind(run);
    let ledger = createLedger();
    const agree = async ({ store, options }: OpenedRun): Promise<boolean> => {
      ledger = await store.checkpoint.ledger();
      return run.agree(await planOfCheckpoint(store, ledger, options, submits));
    };
    return (
      (await continueRun({ submits, invocation, agree, askPlace, session })) ?? declined(invocation, ledger)
    );
  });
}

/** Without a user to ask, a copied or moved folder is refused unless `moved` is set. */
const askPlace = () => async (news: Message) => {
  throw new UsageError(`${news.text}; if no run is going in the other one, use moved: true`);
};

/** The run ended before anything was sent. */
function declined(invocation: Invocation, ledger: Ledger): BatchSummary {
  return summaryOf(invocation, ledger, { reason: 'interrupted', failure: null }, null);
}

/** A folder without rows was not kept, or has nothing to resume: the next step starts from the file. */
function declinedFile(input: string, invocation: Invocation, ledger: Ledger): BatchSummary {
  const summary = declined(invocation, ledger);
  if (summary.rows > 0) return summary;
  const kind = invocation.options.simulate ? ' --simulate' : '';
  return { ...summary, next: `batch run ${shellPath(input)} --out ${shellPath(invocation.outShown)}${kind}` };
}
