/** `batch doctor`: one list of all that a run needs, and what to do about what is missing. Costs nothing, changes nothing. */

import { processEnvironment } from '../../app/options/environment.ts';
import type { RawOptions } from '../../app/options/options.ts';
import { readInvocation, withSaved } from '../../app/options/settings.ts';
import type { Handle } from '../../cli/command.ts';
import { printJson, printResult, resultColumns } from '../../cli/console.ts';
import { givenOptions } from '../../cli/flags/flag.ts';
import { doctorGroups } from '../../cli/flags/step-flags.ts';
import { phrasesOf } from '../../terminal/phrases/phrases.ts';
import { type Check, checkJson, renderCheck } from './check.ts';
import { checkFolder } from './folder-checks.ts';
import { ffmpegCheck, fontsCheck, terminalCheck, versionCheck } from './machine-checks.ts';
import { checkService } from './service-checks.ts';
import { checkStore } from './store-checks.ts';

/** Prints the list. Returns the exit code: 1 where something has failed. */
async function examine(dir: string, flags: RawOptions): Promise<0 | 1> {
  const invocation = readInvocation(flags, { out: dir });
  const store = await checkStore(invocation);
  const folder = invocation.shared === null ? await checkFolder(invocation) : store;
  const { saved } = folder;
  const checks: readonly Check[] = [
    versionCheck(),
    ...store.checks,
    ...(folder === store ? [] : folder.checks),
    ...(await checkService(invocation, withSaved(invocation, saved))),
    await ffmpegCheck(),
    await fontsCheck(),
    terminalCheck(resultColumns(), processEnvironment()),
  ];
  const say = phrasesOf(invocation.language);
  if (invocation.options.json) printJson({ checks: checks.map(checkJson) });
  else for (const each of checks) printResult(renderCheck(each, say));
  return checks.some(({ state }) => state === 'failed') ? 1 : 0;
}

export const handle: Handle = async (argv) => {
  process.exitCode = await examine(String(argv.dir), givenOptions(argv, doctorGroups));
};
