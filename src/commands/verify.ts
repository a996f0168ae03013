/** `batch verify`: compares the files on disk with the checkpoint; `--fix` downloads damaged or missing ones again. */

import { openFileOutputTree } from '../adapters/file-output-tree.ts';
import { systemClock } from '../adapters/system-clock.ts';
import { checkFiles, type FileCheck, mendedBy } from '../app/check-files.ts';
import type { Options, RawOptions } from '../app/options.ts';
import { lookIntoFolder, openExistingFolder, optionsOfRun } from '../app/output-folder.ts';
import { reportFacts } from '../app/report-facts.ts';
import { readInvocation } from '../app/settings.ts';
import { isDiskAway } from '../core/disk-away.ts';
import { shellPath } from '../core/text/shell-word.ts';
import type { OutputTree } from '../ports.ts';
import { writeReports } from '../report/write-report.ts';
import type { Checkpoint } from '../store.ts';
import { renderNumber } from '../terminal/numbers.ts';
import { toTerminalText } from '../terminal/terminal-text.ts';
import type { Handle } from './command.ts';
import { isFetchingConfirmed } from './confirm.ts';
import { printNotice, printResult } from './console.ts';
import { givenOptions, goOnGroups } from './flags.ts';
import { runInTerminal } from './run-in-terminal.ts';

/** Looks only. Returns 0 when every file is whole, else 1. */
export async function verify(dir: string): Promise<number> {
  const { out, outShown } = readInvocation({}, { out: dir });
  await using store = await lookIntoFolder(out);
  const check = await look(store.checkpoint, await openFileOutputTree(out));
  const away = renderAway(check);
  if (away !== null) printNotice(away);
  const command = `batch verify ${shellPath(outShown)} --fix`;
  if (check.flawed > check.lasting) printResult(`Next: ${command}   downloads them again, free of charge`);
  else if (check.back > 0) printResult(`Next: ${command}   recognizes what is back, free of charge`);
  return check.flawed > 0 ? 1 : 0;
}

/** Exit codes of a run that was ended from outside before all files could be here. */
const brokenOff: ReadonlySet<number> = new Set([3, 130, 143]);

/** Downloads damaged and missing files again. Returns 0 when every file is whole then, else 1, or how the run was broken off. */
export async function verifyAndFix(dir: string, flags: RawOptions): Promise<number> {
  const invocation = readInvocation(flags, { out: dir });
  await using store = await openExistingFolder(invocation.out);
  const { checkpoint } = store;
  const tree = await openFileOutputTree(invocation.out);
  const check = await look(checkpoint, tree);
  if (!(await isAgreed(check, invocation.options))) return 1;
  const { findings, back, lasting } = check;
  const isWanting = findings.some(({ damaged }) => damaged.length > 0);
  // Where nothing is to be fetched nobody needs a key.
  const options = isWanting ? await optionsOfRun(invocation, store) : null;
  await store.checkSound();
  const at = systemClock.now();
  await checkpoint.commit(findings.map((finding) => mendedBy(finding, at)));
  // What an earlier `--fix` could not get is wanted still, and no damage any more.
  if (!isWanting && !(await isWaiting(checkpoint))) {
    if (back > 0) await writeReports(checkpoint, tree, await reportFacts(store.settings, invocation, false));
    return lasting > 0 ? 1 : 0;
  }
  const exitCode = await runInTerminal({
    submits: false,
    invocation,
    options: options ?? (await optionsOfRun(invocation, store)),
    store,
  });
  if (brokenOff.has(exitCode)) return exitCode;
  return lasting > 0 || (await isWaiting(checkpoint)) ? 1 : 0;
}

/** True while files are wanted of tasks that the service completed. */
async function isWaiting(checkpoint: Checkpoint): Promise<boolean> {
  const { counts } = await checkpoint.ledger();
  return counts.downloading + counts.undelivered > 0;
}

/** What says that the disk may be away; null where nothing does. */
function renderAway({ files, missing }: FileCheck): string | null {
  if (!isDiskAway(files, missing)) return null;
  const count = missing === files ? 'all' : renderNumber(missing);
  return `warning: ${count} of ${renderNumber(files)} files are missing: is their disk mounted?`;
}

/** A disk that is mounted again brings its files back: nothing is changed unless somebody knows that they are gone. */
async function isAgreed(check: FileCheck, options: Options): Promise<boolean> {
  const away = renderAway(check);
  if (away === null) return true;
  printNotice(away);
  return isFetchingConfirmed(options);
}

/** Compares every file that was saved with the disk, and says what is wrong, a line each. */
async function look(checkpoint: Checkpoint, tree: OutputTree): Promise<FileCheck> {
  const check = await checkFiles(checkpoint.filedItems(), tree, ({ path, words }) =>
    printNotice(toTerminalText(`${path}: ${words}`)),
  );
  const { files, flawed } = check;
  printResult(
    `${renderNumber(files)} files, ${renderNumber(files - flawed)} whole, ${renderNumber(flawed)} damaged or missing`,
  );
  return check;
}

export const handle: Handle = async (argv) => {
  const dir = String(argv.dir);
  process.exitCode =
    argv.fix === true ? await verifyAndFix(dir, givenOptions(argv, goOnGroups)) : await verify(dir);
};
