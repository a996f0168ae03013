/**
 * Runs started by a program. They print nothing, ask nothing, handle no signals and never end the process: they report
 * by events and a promise.
 */

import type { ImportPlan } from '../app/import-file.ts';
import { summaryOf } from '../app/run-summary.ts';
import type { Invocation } from '../app/settings.ts';
import { continueRun, type OpenedRun, startRun } from '../app/start-run.ts';
import { createLedger, type Ledger } from '../core/summary.ts';
import { shellPath } from '../core/text/shell-word.ts';
import { UsageError } from '../errors.ts';
import type { BatchRun, BatchSummary } from './events.ts';
import type { CommonOptions, ResumeOptions, RunOptions } from './options.ts';
import { planOfCheckpoint, planOfFile } from './plan-events.ts';
import { ProgramRun } from './program-run.ts';
import { readProgramOptions, signalOf } from './read-options.ts';

/**
 * Makes a video of every question in the file, or resumes this work: no row is paid for twice. No question is asked:
 * calling this is consent to pay.
 */
export function runBatch(options: RunOptions): BatchRun {
  return new ProgramRun(signalOf(options), async (run) => {
    const invocation = readProgramOptions(options);
    const { input } = options;
    if (typeof input !== 'string') throw new UsageError('input: use the path of an Excel, CSV or JSONL file');
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
      return run.agree(planOfCheckpoint(ledger, options, submits));
    };
    return (
      (await continueRun({ submits, invocation, agree, askPlace, session })) ?? declined(invocation, ledger)
    );
  });
}

/** Without a user to ask, a copied or moved folder is refused unless `moved` is set. */
const askPlace = () => async (news: string) => {
  throw new UsageError(`${news}; if no run is going in the other one, use moved: true`);
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
