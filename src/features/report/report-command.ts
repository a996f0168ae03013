/** `batch report`: rewrites the reports from the checkpoint, even during a run. */

import { resolve } from 'node:path';
import { refuseForeignWorkbook } from '../../app/files/foreign-files.ts';
import { realPath } from '../../app/files/own-files.ts';
import { lookIntoRun, openTree } from '../../app/open-run.ts';
import type { RawOptions } from '../../app/options/options.ts';
import { readInvocation, withSaved } from '../../app/options/settings.ts';
import { readSavedOptions } from '../../app/output-folder.ts';
import { reportFacts } from '../../app/report-facts.ts';
import type { Handle } from '../../cli/command.ts';
import { printNotice, printResult } from '../../cli/console.ts';
import { givenOptions } from '../../cli/flags/flag.ts';
import { reportGroups } from '../../cli/flags/step-flags.ts';
import { longLook } from '../../cli/long-work.ts';
import { printInUse } from '../../cli/report-notices.ts';
import { UsageError } from '../../errors.ts';
import { type Message, message } from '../../messages/message.ts';
import { countRows } from '../../money/summary.ts';
import { type Reported, type ReportFacts, writeReports } from '../../reports/write-report.ts';
import { counted, type OnProgress } from '../../stores/counted.ts';
import type { Checkpoint } from '../../stores/port/checkpoint.ts';
import { phrasesOf } from '../../terminal/phrases/phrases.ts';
import { shellPath } from '../../text/shell-word.ts';
import { keepMended } from '../import/mended-tables.ts';
import { writeReportsInto } from './report-elsewhere.ts';

/** Writes the reports of the run in `dir`. */
export async function report(dir: string, flags: RawOptions = {}, to: string | null = null): Promise<void> {
  const given = readInvocation(flags, { out: dir });
  using work = longLook(message('work.reports'), given);
  await using opened = await lookIntoRun(given);
  const { store, invocation, isInUse } = opened;
  const reported = await countedRows(store.checkpoint, work.done);
  const { outShown } = invocation;
  const say = phrasesOf(invocation.language);
  const { render, progress } = say;
  if (to !== null && realPath(resolve(to)) !== realPath(invocation.out)) {
    const { facts, inUse } = await writeReportsInto(to, opened, reported);
    printInUse(inUse, say);
    printResult(render(renderWritten(to, facts)));
    return;
  }
  const saved = await readSavedOptions(store);
  const options = withSaved(invocation, saved);
  refuseForeignWorkbook(invocation, options, saved);
  for (const line of await keepMended({ store, invocation, options }))
    printNotice(progress.warning + render(line));
  await using outputs = await openTree(opened);
  const facts = await reportFacts(opened, isInUse);
  printInUse(await writeReports(reported, outputs.tree, facts), say);
  printResult(render(renderWritten(outShown, facts)));
}

/** What is reported, each row of which is counted. */
async function countedRows(checkpoint: Checkpoint, onProgress: OnProgress): Promise<Reported> {
  const total = countRows(await checkpoint.ledger());
  return {
    sources: () => checkpoint.sources(),
    reportPages: () =>
      counted(
        checkpoint.reportPages(),
        (done) => onProgress(done, total),
        (page) => page.length,
      ),
  };
}

function renderWritten(folder: string, { wantsWorkbook }: Pick<ReportFacts, 'wantsWorkbook'>): Message {
  const files = [
    'report.html',
    'report.csv',
    ...(wantsWorkbook ? ['report.xlsx'] : []),
    'report.jsonl',
    'failed.csv',
  ];
  return message('folder.reports', { folder: shellPath(folder), names: files.join(', ') });
}

export const handle: Handle = async (argv) => {
  const { to } = argv;
  if (to !== undefined && (typeof to !== 'string' || to === ''))
    throw new UsageError(message('refused.report-folder'));
  await report(String(argv.dir), givenOptions(argv, reportGroups), to ?? null);
  process.exitCode = 0;
};
