/** `batch worker`: one of any number of processes that work on a run in a store that machines share. */

import { parseOptions } from '../app/job-file.ts';
import { mayPayHere, notePlace, placeAdvice } from '../app/moved-folder.ts';
import { openExistingRun } from '../app/open-run.ts';
import type { RawOptions } from '../app/options.ts';
import { readSavedOptions } from '../app/output-folder.ts';
import { readRound } from '../app/round.ts';
import { readInvocation, serviceOf } from '../app/settings.ts';
import { readMark } from '../app/terms-mark.ts';
import { UsageError } from '../errors.ts';
import type { Handle } from './command.ts';
import { givenOptions, workerGroups } from './flags.ts';
import { runInTerminal } from './run-in-terminal.ts';

/** Works on the run. With `drains` it ends when nothing is left to do. Returns the exit code. */
export async function work(flags: RawOptions, drains: boolean): Promise<number> {
  const invocation = readInvocation(flags, {});
  if (invocation.shared === null)
    throw new UsageError(
      'a worker needs a store and a run: `batch worker --store postgres://... --run NAME`',
    );
  await using opened = await openExistingRun(invocation, true);
  const { store } = opened;
  const mark = await readMark(store);
  const saved = parseOptions(await readSavedOptions(store), (name) => `saved option "${name}"`);
  const options = { ...saved, ...(await readRound(store)), ...opened.invocation.options };
  serviceOf(opened.invocation, options);
  await mayPayHere(store, opened.invocation, options, async (news) => {
    throw new UsageError(`${news}; ${placeAdvice}`);
  });
  await notePlace(store, opened.invocation);
  return await runInTerminal({
    submits: true,
    invocation: opened.invocation,
    options,
    store,
    stays: !drains,
    mark,
  });
}

export const handle: Handle = async (argv) => {
  const { drain, ...flags } = givenOptions(argv, workerGroups);
  process.exitCode = await work(flags, drain === true);
};
