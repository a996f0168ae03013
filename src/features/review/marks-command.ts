/** `batch marks`: merges the marks of several reviewers, and exports those that are saved with a run. */

import { writeOwnTable } from '../../app/files/own-files.ts';
import { lookIntoRun } from '../../app/open-run.ts';
import { readInvocation } from '../../app/options/settings.ts';
import { readRunId } from '../../app/run-id.ts';
import { type Handle, wordsOf } from '../../cli/command.ts';
import { printNotice, printTable } from '../../cli/console.ts';
import { givenOptions, lookGroups } from '../../cli/flags.ts';
import { UsageError } from '../../errors.ts';
import { renderRows } from '../../messages/numbers.ts';
import { toTerminalText } from '../../terminal/terminal-text.ts';
import { shellPath } from '../../text/shell-word.ts';
import { type MarkedRow, renderMarksTable } from './marks-table.ts';
import { mergeMarks, savedMarks } from './merge-marks.ts';

export const handle: Handle = async (argv) => {
  const [what, ...words] = wordsOf(argv);
  const { to } = argv;
  if (to !== undefined && (typeof to !== 'string' || to.trim() === ''))
    throw new UsageError('--to is empty or was given twice; give one file');
  if (what === 'merge') process.exitCode = await merge(words, to ?? null);
  else if (what === 'export') {
    if (words.length > 1) throw new UsageError('too many words; use `batch marks export [DIR]`');
    const flags = givenOptions(argv, lookGroups);
    await using run = await lookIntoRun(readInvocation(flags, { out: words[0] ?? './videos' }));
    const rows = await savedMarks(run);
    await write(rows, to ?? null, (await readRunId(run.store.settings)) ?? noRun);
    if (rows.length === 0) printNotice('no marks are saved with this run; `batch view --review` saves them');
    process.exitCode = 0;
  } else throw new UsageError('use `batch marks merge FILE FILE` or `batch marks export [DIR]`');
};

/** Returns 1 where people must decide about rows. */
async function merge(files: readonly string[], to: string | null): Promise<number> {
  if (files.length === 0) throw new UsageError('which marks? Use `batch marks merge FILE FILE`');
  const { rows, conflicts } = mergeMarks(files);
  await write(rows, to, noRun);
  const anyAttempt = rows.filter(({ mark, attempt }) => mark === 'bad' && attempt === null).length;
  if (anyAttempt > 0)
    printNotice(
      `warning: ${renderRows(anyAttempt)} marked bad without an attempt: each retry with this table pays for them again; fill in the column attempt`,
    );
  if (conflicts.length === 0) {
    printNotice(`${renderRows(rows.length)} marked; no reviewer contradicts another one`);
    return 0;
  }
  printNotice(
    `${renderRows(conflicts.length)} on which reviewers contradict each other; decide in the column mark:`,
  );
  for (const conflict of conflicts) printNotice(`  ${toTerminalText(conflict)}`);
  return 1;
}

/** Tables that were merged belong to no run. */
const noRun = 'marks';

async function write(rows: readonly MarkedRow[], to: string | null, by: string): Promise<void> {
  const text = renderMarksTable(rows);
  if (to === null) {
    printTable(text);
    return;
  }
  const advice = 'choose another --to';
  await writeOwnTable({ path: to, shown: shellPath(to), advice }, text, by);
}
