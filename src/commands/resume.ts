/** `batch resume` and `batch collect`: go on from the checkpoint alone, with or without submitting. */

import type { SqliteCheckpoint } from '../adapters/sqlite/sqlite-checkpoint.ts';
import { noRows, type QualityCounts } from '../core/estimate.ts';
import { shellPath } from '../core/shell-word.ts';
import type { Ledger } from '../core/summary.ts';
import type { RawOptions } from '../job-file.ts';
import { carryOut } from './carry-out.ts';
import type { Handle } from './command.ts';
import { askPlace, isConfirmed, saySubmission } from './confirm.ts';
import { givenOptions, goOnGroups } from './flags.ts';
import { estimateOf } from './proposal.ts';
import { readGiven } from './settings.ts';
import { continueRun, type Standing } from './start-run.ts';

/** Goes on with the run in `dir`. Returns the exit code. */
export async function resume(dir: string, flags: RawOptions, submits: boolean): Promise<number> {
  const given = readGiven(flags, { out: dir });
  const agree = async ({ checkpoint, options }: Standing): Promise<boolean> => {
    if (!submits) return true;
    const ledger = await checkpoint.ledger();
    const counts = waitingRows(checkpoint, ledger, options.only ?? null);
    const command = `batch resume ${shellPath(given.outShown)}`;
    const text = estimateOf({ counts, ledger, checkpoint, options, command });
    if (!options.quiet) saySubmission(text);
    return isConfirmed(text, options);
  };
  const code = await continueRun({ submits, given, agree, askPlace, carryOut });
  return code ?? 2;
}

/** Their qualities make a difference to the estimate alone: without a price a million rows are not gone through. */
function waitingRows(
  checkpoint: SqliteCheckpoint,
  ledger: Ledger,
  only: readonly string[] | null,
): QualityCounts {
  const isPriced = ledger.largestPoints.size > 0;
  return only === null && !isPriced
    ? { ...noRows, none: ledger.counts.pending }
    : checkpoint.pendingQualities(only);
}

function goOn(submits: boolean): Handle {
  return async (argv) => {
    process.exitCode = await resume(String(argv.dir), givenOptions(argv, goOnGroups), submits);
  };
}

export const handleResume = goOn(true);
export const handleCollect = goOn(false);
