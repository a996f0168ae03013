/** `batch doctor`: one list of all that a run needs, and what to do about what is missing. Costs nothing, changes nothing. */

import { processEnvironment } from '../../app/options/environment.ts';
import type { RawOptions } from '../../app/options/options.ts';
import { readInvocation, withSaved } from '../../app/options/settings.ts';
import type { Handle } from '../../cli/command.ts';
import { printJson, printResult, resultColumns } from '../../cli/console.ts';
import { doctorGroups, givenOptions } from '../../cli/flags.ts';
import { phrasesOf } from '../../terminal/phrases/phrases.ts';
import { type Finding, findingJson, renderFinding } from './finding.ts';
import { checkFolder } from './folder-checks.ts';
import { ffmpegFinding, fontsFinding, terminalFinding, versionFinding } from './machine-checks.ts';
import { checkService } from './service-checks.ts';

/** Prints the list. Returns the exit code: 1 where something has failed. */
async function examine(dir: string, flags: RawOptions): Promise<0 | 1> {
  const invocation = readInvocation(flags, { out: dir });
  const { findings: folder, saved } = await checkFolder(invocation);
  const findings: readonly Finding[] = [
    versionFinding(),
    ...folder,
    ...(await checkService(invocation, withSaved(invocation, saved))),
    await ffmpegFinding(),
    await fontsFinding(),
    terminalFinding(resultColumns(), processEnvironment()),
  ];
  const say = phrasesOf(invocation.language);
  if (invocation.options.json) printJson({ checks: findings.map(findingJson) });
  else for (const each of findings) printResult(renderFinding(each, say));
  return findings.some(({ state }) => state === 'failed') ? 1 : 0;
}

export const handle: Handle = async (argv) => {
  process.exitCode = await examine(String(argv.dir), givenOptions(argv, doctorGroups));
};
