/** `batch report`: rewrites the reports from the checkpoint, even during a run. */

import { openFileOutputTree } from '../adapters/file-output-tree.ts';
import { systemClock } from '../adapters/system-clock.ts';
import { lookIntoFolder } from '../app/output-folder.ts';
import { reportFacts } from '../app/report-facts.ts';
import { readInvocation } from '../app/settings.ts';
import { storeIn } from '../app/stores.ts';
import { shellPath } from '../core/text/shell-word.ts';
import { writeReports } from '../report/write-report.ts';
import type { Handle } from './command.ts';
import { printResult } from './console.ts';

/** Writes report.csv, report.jsonl, report.html and failed.csv of the run in `dir`. */
export async function report(dir: string): Promise<void> {
  const { out, outShown } = readInvocation({}, { out: dir });
  await using store = await lookIntoFolder(out);
  const tree = await openFileOutputTree(out, systemClock.now);
  const facts = await reportFacts(store.settings, { out, outShown }, await storeIn(out).isHeld());
  await writeReports(store.checkpoint, tree, facts);
  printResult(`Reports in ${shellPath(outShown)}: report.html, report.csv, report.jsonl, failed.csv`);
}

export const handle: Handle = async (argv) => {
  await report(String(argv.dir));
  process.exitCode = 0;
};
