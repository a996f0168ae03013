/** `batch worker`: one of any number of processes that work on a run in a store that machines share. */

import { openExistingRun } from '../../app/open-run.ts';
import { parseOptions } from '../../app/options/job-file.ts';
import type { RawOptions } from '../../app/options/options.ts';
import { readInvocation, serviceOf } from '../../app/options/settings.ts';
import { readSavedOptions } from '../../app/output-folder.ts';
import type { Handle } from '../../cli/command.ts';
import { givenOptions, workerGroups } from '../../cli/flags.ts';
import { UsageError } from '../../errors.ts';
import { several } from '../../messages/message.ts';
import { mayPayHere, notePlace, placeAdvice } from '../run/moved-folder.ts';
import { readRound } from '../run/round.ts';
import { runInTerminal } from '../run/run-in-terminal.ts';
import { readMark } from '../run/terms-mark.ts';

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
    throw new UsageError(several([news, placeAdvice]));
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
