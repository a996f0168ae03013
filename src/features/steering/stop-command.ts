/** `batch stop`: ends the processes that work on a run, from anywhere. */

import { sharedOf } from '../../app/options/invocation.ts';
import type { RawOptions } from '../../app/options/options.ts';
import { readInvocation } from '../../app/options/settings.ts';
import type { Handle } from '../../cli/command.ts';
import { printNotice, printResult } from '../../cli/console.ts';
import { givenOptions } from '../../cli/flags/flag.ts';
import { stopGroups } from '../../cli/flags/step-flags.ts';
import { message } from '../../messages/message.ts';
import { phrasesOf } from '../../terminal/phrases/phrases.ts';
import { status } from '../view/status-command.ts';
import { type StopWish, stopRun } from './stop-run.ts';

/** Ends what works on the run in `dir`, and prints where the run stands then. */
export async function stop(dir: string, wish: StopWish, flags: RawOptions = {}): Promise<void> {
  const invocation = readInvocation(flags, { out: dir });
  if (wish.worker !== null) sharedOf(invocation, message('refused.no-workers'));
  const { render } = phrasesOf(invocation.language);
  const nothing = await stopRun(invocation, wish, (said) => printNotice(render(said)));
  if (nothing === null) await status(dir, { isJson: false }, flags);
  else printResult(render(nothing));
}

export const handle: Handle = async (argv) => {
  const { worker, now, ...flags } = givenOptions(argv, stopGroups);
  const wish = { worker: worker === undefined ? null : String(worker), isNow: now === true };
  await stop(String(argv.dir), wish, flags);
  process.exitCode = 0;
};
