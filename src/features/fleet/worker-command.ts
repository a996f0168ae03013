/** `batch worker`: one of any number of processes that work on a run in a store that machines share. */

import { beginWork, refuseUnsaidStore } from '../../app/begin-work.ts';
import { sharedOf } from '../../app/options/invocation.ts';
import type { RawOptions } from '../../app/options/options.ts';
import { readInvocation } from '../../app/options/settings.ts';
import { noteDatabase, placeAdvice } from '../../app/place/moved-folder.ts';
import { readRound } from '../../app/rounds/round.ts';
import type { Handle } from '../../cli/command.ts';
import { givenOptions } from '../../cli/flags/flag.ts';
import { workerGroups } from '../../cli/flags/run-flags.ts';
import { UsageError } from '../../errors.ts';
import { type Message, message, several } from '../../messages/message.ts';
import { runInTerminal } from '../run/run-in-terminal.ts';

/** Works on the run. With `drains` it ends when nothing is left to do. Returns the exit code. */
export async function work(flags: RawOptions, drains: boolean): Promise<number> {
  const invocation = readInvocation(flags, {});
  await refuseUnsaidStore(invocation, message('refused.worker-run'));
  sharedOf(invocation, message('refused.worker-place'));
  const askPlace = () => async (news: Message) => {
    throw new UsageError(several([news, placeAdvice]));
  };
  const code = await beginWork(
    { invocation, askPlace, session: runInTerminal },
    {
      pays: true,
      // The rows are ordered already: their round continues under its terms.
      async order({ store, invocation, options }) {
        const terms = { ...options, ...(await readRound(store)), ...invocation.options };
        await noteDatabase(store);
        return { options: terms, mark: null, stays: !drains };
      },
    },
  );
  return code ?? 2;
}

export const handle: Handle = async (argv) => {
  const { drain, ...flags } = givenOptions(argv, workerGroups);
  process.exitCode = await work(flags, drain === true);
};
