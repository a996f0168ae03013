/** `batch report`: rewrites the reports from the checkpoint, even during a run. */

import { lookIntoRun, openTree } from '../app/open-run.ts';
import type { RawOptions } from '../app/options.ts';
import { reportFacts } from '../app/report-facts.ts';
import { readInvocation } from '../app/settings.ts';
import { shellPath } from '../core/text/shell-word.ts';
import { writeReports } from '../report/write-report.ts';
import type { Handle } from './command.ts';
import { printResult } from './console.ts';
import { givenOptions, lookGroups } from './flags.ts';

/** Writes report.csv, report.jsonl, report.html and failed.csv of the run in `dir`. */
export async function report(dir: string, flags: RawOptions = {}): Promise<void> {
  await using opened = await lookIntoRun(readInvocation(flags, { out: dir }));
  const { store, invocation, isHeld } = opened;
  const { outShown } = invocation;
  await using outputs = await openTree(opened);
  await writeReports(store.checkpoint, outputs.tree, await reportFacts(store.settings, invocation, isHeld));
  printResult(`Reports in ${shellPath(outShown)}: report.html, report.csv, report.jsonl, failed.csv`);
}

export const handle: Handle = async (argv) => {
  await report(String(argv.dir), givenOptions(argv, lookGroups));
  process.exitCode = 0;
};
