/**
 * Runs that a program starts. They print nothing, ask nothing, hear no signals of the system and never end the process:
 * events and a promise say all.
 */

import type { ImportPlan } from '../app/import-file.ts';
import type { Options } from '../app/options.ts';
import type { Invocation } from '../app/settings.ts';
import { continueRun, type OpenedRun, startRun } from '../app/start-run.ts';
import { estimatePoints } from '../core/estimate.ts';
import { countRows, createLedger, type Ledger, roundPoints } from '../core/summary.ts';
import { shellPath } from '../core/text/shell-word.ts';
import { UsageError } from '../errors.ts';
import type { BatchRun, BatchSummary, PlanEvent } from './events.ts';
import type { CommonOptions, ResumeOptions, RunOptions } from './options.ts';
import { ProgramRun, summaryOf } from './program-run.ts';
import { readProgramOptions, signalOf } from './read-options.ts';

/**
 * Makes a video of every question in the file, or goes on with that: no row is paid for twice. No question is asked:
 * who calls this agrees to pay.
 */
export function runBatch(options: RunOptions): BatchRun {
  return new ProgramRun(signalOf(options), async (run) => {
    const invocation = readProgramOptions(options);
    const { input } = options;
    if (typeof input !== 'string') throw new UsageError('input: use the path of a CSV or JSONL file');
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

/** Goes on with the run of an output folder, without its file: submits what is pending. */
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

/** Nobody is asked: a folder that was copied or moved is refused unless `moved` is said. */
const askPlace = () => async (news: string) => {
  throw new UsageError(`${news}; if no run is going in the other one, use moved: true`);
};

/** The run ended before anything was sent. */
function declined(invocation: Invocation, ledger: Ledger): BatchSummary {
  return summaryOf(invocation, ledger, { reason: 'interrupted', failure: null });
}

/** A folder without rows was not kept, or holds nothing to go on with: the file is the place to start from. */
function declinedFile(input: string, invocation: Invocation, ledger: Ledger): BatchSummary {
  const summary = declined(invocation, ledger);
  if (summary.rows > 0) return summary;
  const kind = invocation.options.simulate ? ' --simulate' : '';
  return { ...summary, next: `batch run ${shellPath(input)} --out ${shellPath(invocation.outShown)}${kind}` };
}

function planOfFile(path: string, { staged, ledger, options }: ImportPlan): PlanEvent {
  const { found, plan } = staged;
  const { format, encoding, notes } = found;
  const { quality = null, limit = null } = options;
  const { rows, points } = estimatePoints(plan.now, ledger, { quality, limit });
  return {
    type: 'plan',
    file: {
      path,
      format,
      encoding,
      notes,
      newRows: plan.newRows,
      invalidRows: plan.invalid,
      changedRows: plan.changedUnsent + plan.changedSent,
      goneRows: plan.gone,
    },
    rows: plan.rows,
    known: plan.known,
    toSubmit: rows,
    estimatedPoints: points,
  };
}

function planOfCheckpoint(ledger: Ledger, options: Options, submits: boolean): PlanEvent {
  const pending = submits ? ledger.counts.pending : 0;
  const toSubmit = Math.min(pending, options.limit ?? pending);
  return {
    type: 'plan',
    file: null,
    rows: countRows(ledger),
    known: { ...ledger.counts },
    toSubmit,
    estimatedPoints: estimate(toSubmit, ledger),
  };
}

/** The qualities of the rows are not looked up: each is taken for the dearest. */
function estimate(rows: number, { largestPoints }: Ledger): number | null {
  if (rows === 0) return 0;
  return largestPoints.size === 0 ? null : roundPoints(Math.max(...largestPoints.values()) * rows);
}
