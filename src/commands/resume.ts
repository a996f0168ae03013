/** `batch resume` and `batch collect`: go on from the checkpoint alone, with or without submitting. */

import { localImages } from '../adapters/local-images.ts';
import { defaultPolicy } from '../core/policy.ts';
import { transition } from '../core/transition.ts';
import type { RawOptions } from '../job-file.ts';
import { prepareRequest } from '../journey/submit-task.ts';
import type { Checkpoint } from '../ports.ts';
import { carryOut } from './carry-out.ts';
import type { Command } from './command.ts';
import { isConfirmed, pendingRows } from './confirm.ts';
import { givenOptions, runFlags, serviceFlags, simulatorFlags, speechFlags } from './flags.ts';
import { openExistingFolder, optionsOfRun } from './folder.ts';
import { readGiven } from './settings.ts';

const groups = [serviceFlags, runFlags, simulatorFlags, speechFlags] as const;

/** Goes on with the run in `dir`. Returns the exit code. */
export async function resume(dir: string, flags: RawOptions, submits: boolean): Promise<number> {
  const given = readGiven(flags, { out: dir });
  using folder = openExistingFolder(given.out);
  const { checkpoint } = folder;
  const options = optionsOfRun(given, folder);
  if (submits) await lookAgain(checkpoint);
  if (submits && !(await isConfirmed(pendingRows(await checkpoint.ledger()), options))) return 2;
  return await carryOut({ submits, given, options, checkpoint });
}

/** Rows that could not be sent are looked at again: what they point at may be there now. */
async function lookAgain(checkpoint: Checkpoint): Promise<void> {
  const ports = { checkpoint, images: localImages };
  for await (const before of checkpoint.items(['invalid'], 'inFile')) {
    const request = await prepareRequest(ports, before, { quality: null, notifyUrl: null });
    if ('failure' in request) continue;
    const event = { type: 'question-changed', at: Date.now(), failure: null } as const;
    await checkpoint.commit([{ before, after: transition(before, event, defaultPolicy).item }]);
  }
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
