/** `batch tune`: changes a run while it goes, or what the next one uses. */

import type { RawOptions } from '../../app/options/options.ts';
import { readInvocation } from '../../app/options/settings.ts';
import { describeChanges } from '../../app/rounds/round.ts';
import { tunedNames } from '../../app/steering/steering-source.ts';
import type { Handle } from '../../cli/command.ts';
import { printResult } from '../../cli/console.ts';
import { givenOptions } from '../../cli/flags/flag.ts';
import { tuneGroups } from '../../cli/flags/step-flags.ts';
import { UsageError } from '../../errors.ts';
import { message, several } from '../../messages/message.ts';
import { phrasesOf } from '../../terminal/phrases/phrases.ts';
import { steerRun } from './steer-run.ts';

/** Saves these options with the run in `dir`. */
export async function tune(dir: string, flags: RawOptions): Promise<void> {
  const invocation = readInvocation(flags, { out: dir });
  const given = Object.entries(flags).filter(([name, value]) => tunedNames.has(name) && value !== undefined);
  if (given.length === 0)
    throw new UsageError(
      message('refused.tune-what', { names: [...tunedNames].map((name) => `--${name}`).join(', ') }),
    );
  const options = Object.fromEntries(given);
  const changes = describeChanges({}, options);
  const { isInUse } = await steerRun(invocation, { options });
  const said = several([
    ...(changes === null ? [] : [message('steering.tuned', { changes })]),
    message(isInUse ? 'steering.running' : 'steering.next-uses'),
  ]);
  printResult(phrasesOf(invocation.language).render(said));
}

export const handle: Handle = async (argv) => {
  await tune(String(argv.dir), givenOptions(argv, tuneGroups));
  process.exitCode = 0;
};
