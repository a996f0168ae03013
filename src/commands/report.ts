/** `batch report`: rewrites the reports from the checkpoint, even during a run. */

import { lookIntoRun, openTree } from '../app/open-run.ts';
import type { RawOptions } from '../app/options.ts';
import { writeReportsInto } from '../app/report-elsewhere.ts';
import { reportFacts } from '../app/report-facts.ts';
import { readInvocation } from '../app/settings.ts';
import { shellPath } from '../core/text/shell-word.ts';
import { UsageError } from '../errors.ts';
import { writeReports } from '../report/write-report.ts';
import type { Handle } from './command.ts';
import { printResult } from './console.ts';
import { givenOptions, lookGroups } from './flags.ts';

/** Writes report.csv, report.jsonl, report.html and failed.csv of the run in `dir`. */
export async function report(dir: string, flags: RawOptions = {}, to: string | null = null): Promise<void> {
  await using opened = await lookIntoRun(readInvocation(flags, { out: dir }));
  const { store, invocation, isHeld } = opened;
  const { outShown } = invocation;
  if (to !== null) {
    await writeReportsInto(to, opened);
    printResult(`Reports in ${shellPath(to)}: report.html, report.csv, report.jsonl, failed.csv`);
    return;
  }
  await using outputs = await openTree(opened);
  await writeReports(store.checkpoint, outputs.tree, await reportFacts(store.settings, invocation, isHeld));
  printResult(`Reports in ${shellPath(outShown)}: report.html, report.csv, report.jsonl, failed.csv`);
}

export const handle: Handle = async (argv) => {
  const { to } = argv;
  if (to !== undefined && (typeof to !== 'string' || to === ''))
    throw new UsageError('--to is empty or was given twice; give the path of one folder');
  await report(String(argv.dir), givenOptions(argv, lookGroups), to ?? null);
  process.exitCode = 0;
};
