/** `batch run FILE`: reads the questions, submits, polls, downloads, reports. The same line again resumes. */

import type { Ledger } from '../core/summary.ts';
import { UsageError } from '../errors.ts';
import type { Options, RawOptions } from '../job-file.ts';
import { renderPlan } from '../terminal/plan-text.ts';
import { carryOut } from './carry-out.ts';
import { check } from './check.ts';
import type { Command } from './command.ts';
import { isConfirmed } from './confirm.ts';
import { printNotice } from './console.ts';
import { givenOptions, inputFlags, runFlags, serviceFlags, simulatorFlags, speechFlags } from './flags.ts';
import { type OpenFolder, openFolder, optionsOfRun, readSavedOptions } from './folder.ts';
import { type Given, optionsToSave, readGiven } from './settings.ts';
import { shownName, standardInput } from './standard-input.ts';
import { type StagedFile, stageFile } from './take-up.ts';

/** Runs the questions of `file`, or of the job file's `input`. Returns the exit code. */
export async function run(
  file: string | undefined,
  job: string | undefined,
  flags: RawOptions,
): Promise<number> {
  const given = readGiven(flags, job === undefined ? {} : { job });
  const named = file ?? given.options.input;
  const input = named === '-' ? standardInput : named;
  if (input === undefined)
    throw new UsageError('no input: write `batch run FILE`, or name `input` in a job file');
  if (given.options['dry-run']) return check(input, given);
  using folder = openFolder(given.out);
  let isTakenUp = false;
  try {
    const options = optionsOfRun(given, folder);
    isTakenUp = await takeUp(input, given, options, folder);
    if (!isTakenUp) return 2;
    return await carryOut({ submits: true, given, options, checkpoint: folder.checkpoint });
  } finally {
    if (!isTakenUp && folder.isNew) folder.abandon();
  }
}

/** Reads the file, says the plan, asks, and takes the rows up. False when the user says no. */
async function takeUp(input: string, given: Given, options: Options, folder: OpenFolder): Promise<boolean> {
  const { db, checkpoint } = folder;
  const staged = await stageFile(db, input, given);
  using ingest = staged.ingest;
  if (staged.plan.isForeign && !staged.add) {
    throw new UsageError(
      `${given.outShown} holds another run: none of its rows is in ${shownName(input)}; choose another --out, or --add to add these rows`,
    );
  }
  const ledger = await checkpoint.ledger();
  if (!options.quiet) sayPlan(input, staged, ledger, options);
  if (!(await isConfirmed(staged.plan.toSubmit, options))) return false;
  const rerunChanged = options['rerun-changed'] ?? false;
  checkpoint.saveSetting('options', JSON.stringify(optionsToSave(given, readSavedOptions(checkpoint))));
  ingest.apply(checkpoint, {
    source: staged.source,
    at: Date.now(),
    add: staged.add,
    isMended: staged.isMended,
    rerunChanged,
  });
  return true;
}

function sayPlan(input: string, { found, plan }: StagedFile, ledger: Ledger, options: Options): void {
  const rerunsChanged = options['rerun-changed'] ?? false;
  for (const line of renderPlan({
    file: shownName(input),
    found,
    plan,
    ledger,
    rerunsChanged,
    limit: options.limit ?? null,
  }))
    printNotice(line);
}

const groups = [serviceFlags, runFlags, inputFlags, simulatorFlags, speechFlags] as const;

export const command: Command = {
  build: (yargs) =>
    yargs
      .positional('file', { type: 'string', describe: 'CSV or JSONL file, or - for standard input' })
      .options({
        out: { type: 'string', alias: 'o', describe: 'output folder and checkpoint (./videos)' },
        job: { type: 'string', describe: 'job file: these options by their long names, plus input' },
        'dry-run': {
          type: 'boolean',
          describe: 'everything up to the first request: the plan and the estimate',
        },
      })
      .options(Object.assign({}, ...groups)),
  handle: async (argv) => {
    const flags = { ...givenOptions(argv, ...groups), out: argv.out, 'dry-run': argv['dry-run'] };
    const job = argv.job;
    if (Array.isArray(job)) throw new UsageError('--job was given more than once; give it once');
    if (job === '') throw new UsageError('--job is empty; write the path of a job file');
    process.exitCode = await run(argv.file as string | undefined, job as string | undefined, flags);
  },
};
