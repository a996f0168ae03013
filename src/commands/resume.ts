/** `batch resume` and `batch collect`: go on from the checkpoint alone, with or without submitting. */

import type { Options, RawOptions } from '../job-file.ts';
import { carryOut } from './carry-out.ts';
import type { Command } from './command.ts';
import { isConfirmed, pendingRows } from './confirm.ts';
import { givenOptions, runFlags, serviceFlags, simulatorFlags, speechFlags } from './flags.ts';
import { openExistingFolder, readSavedOptions } from './folder.ts';

import { readGiven, withSaved } from './settings.ts';

const groups = [serviceFlags, runFlags, simulatorFlags, speechFlags] as const;

/** Goes on with the run in `dir`. Returns the exit code. */
export async function resume(dir: string, flags: RawOptions, submits: boolean): Promise<number> {
  const given = readGiven(flags, { out: dir });
  using folder = openExistingFolder(given.out);
  const { checkpoint } = folder;
  const options: Options = withSaved(given, readSavedOptions(checkpoint));
  if (submits && !(await isConfirmed(pendingRows(await checkpoint.ledger()), options))) return 2;
  return await carryOut({ submits, given, options, checkpoint });
}

function goOn(submits: boolean): Command {
  return {
    build: (yargs) =>
      yargs
        .positional('dir', { type: 'string', default: './videos', describe: 'output folder of the run' })
        .options(Object.assign({}, ...groups)),
    handle: async (argv) => {
      process.exitCode = await resume(String(argv.dir), givenOptions(argv, ...groups), submits);
    },
  };
}

export const command = goOn(true);
export const collectCommand = goOn(false);
