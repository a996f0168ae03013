/** `batch report`: rewrites the reports from the checkpoint, even during a run. */

import { resolve } from 'node:path';
import { keepMended } from '../app/mended-tables.ts';
import { lookIntoRun, openTree } from '../app/open-run.ts';
import type { RawOptions } from '../app/options.ts';
import { readSavedOptions } from '../app/output-folder.ts';
import { realPath } from '../app/own-files.ts';
import { writeReportsInto } from '../app/report-elsewhere.ts';
import { reportFacts } from '../app/report-facts.ts';
import { readInvocation, withSaved } from '../app/settings.ts';
import { shellPath } from '../core/text/shell-word.ts';
import { UsageError } from '../errors.ts';
import { type ReportFacts, writeReports } from '../report/write-report.ts';
import { phrasesOf } from '../terminal/phrases/phrases.ts';
import type { Handle } from './command.ts';
import { printNotice, printResult } from './console.ts';
import { givenOptions, reportGroups } from './flags.ts';

/** Writes the reports of the run in `dir`. */
export async function report(dir: string, flags: RawOptions = {}, to: string | null = null): Promise<void> {
  await using opened = await lookIntoRun(readInvocation(flags, { out: dir }));
  const { store, invocation, isHeld } = opened;
  const { outShown } = invocation;
  const { told } = phrasesOf(invocation.language);
  if (to !== null && realPath(resolve(to)) !== realPath(invocation.out)) {
    printResult(told(renderWritten(to, await writeReportsInto(to, opened))));
    return;
  }
  const options = withSaved(invocation, await readSavedOptions(store));
  for (const line of await keepMended({ store, invocation, options })) printNotice(told(`warning: ${line}`));
  await using outputs = await openTree(opened);
  const facts = await reportFacts(opened, isHeld);
  await writeReports(store.checkpoint, outputs.tree, facts);
  printResult(told(renderWritten(outShown, facts)));
}

function renderWritten(folder: string, { wantsWorkbook }: Pick<ReportFacts, 'wantsWorkbook'>): string {
  const files = [
    'report.html',
    'report.csv',
    ...(wantsWorkbook ? ['report.xlsx'] : []),
    'report.jsonl',
    'failed.csv',
  ];
  return `Reports in ${shellPath(folder)}: ${files.join(', ')}`;
}

export const handle: Handle = async (argv) => {
  const { to } = argv;
  if (to !== undefined && (typeof to !== 'string' || to === ''))
    throw new UsageError('--to is empty or was given twice; give the path of one folder');
  await report(String(argv.dir), givenOptions(argv, reportGroups), to ?? null);
  process.exitCode = 0;
};
