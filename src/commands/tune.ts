/** `batch tune`: changes a run while it goes, or what the next one uses. */

import type { RawOptions } from '../app/options.ts';
import { describeChanges } from '../app/round.ts';
import { readInvocation } from '../app/settings.ts';
import { steerRun } from '../app/steer-run.ts';
import { tunedNames } from '../app/steering.ts';
import { UsageError } from '../errors.ts';
import { phrasesOf } from '../terminal/phrases/phrases.ts';
import type { Handle } from './command.ts';
import { printResult } from './console.ts';
import { givenOptions, tuneGroups } from './flags.ts';

/** Saves these options with the run in `dir`. */
export async function tune(dir: string, flags: RawOptions): Promise<void> {
  const invocation = readInvocation(flags, { out: dir });
  const given = Object.entries(flags).filter(([name, value]) => tunedNames.has(name) && value !== undefined);
  if (given.length === 0)
    throw new UsageError(
      `what is to change? Give ${[...tunedNames].map((name) => `--${name}`).join(', ')}; \`batch resume\` takes the other options`,
    );
  const options = Object.fromEntries(given);
  const { isHeld } = await steerRun(invocation, { options });
  const now = isHeld
    ? 'the run goes by it within two seconds'
    : 'no process works on the run; the next one uses it';
  printResult(phrasesOf(invocation.language).told(`tuned: ${describeChanges({}, options)}; ${now}`));
}

export const handle: Handle = async (argv) => {
  await tune(String(argv.dir), givenOptions(argv, tuneGroups));
  process.exitCode = 0;
};
