/**
 * `batch verify`: compares the files on disk with the checkpoint; `--fix` downloads damaged or missing ones again, `--deep`
 * also looks into the videos.
 */

import type { Invocation } from '../../app/options/invocation.ts';
import type { RawOptions } from '../../app/options/options.ts';
import { readInvocation } from '../../app/options/settings.ts';
import type { Handle } from '../../cli/command.ts';
import { isFetchingConfirmed } from '../../cli/confirm.ts';
import { claimStandardOutput, printJson, printNotice, printResult } from '../../cli/console.ts';
import { lookGroups } from '../../cli/flags/common-flags.ts';
import { givenOptions } from '../../cli/flags/flag.ts';
import { goOnGroups } from '../../cli/flags/run-flags.ts';
import { deepGroups } from '../../cli/flags/step-flags.ts';
import { longLook, longWork } from '../../cli/long-work.ts';
import { printInUse } from '../../cli/report-notices.ts';
import { UsageError } from '../../errors.ts';
import { isDiskAway } from '../../files/disk-away.ts';
import { message } from '../../messages/message.ts';
import { type Phrases, phrasesOf } from '../../terminal/phrases/phrases.ts';
import { toTerminalText } from '../../terminal/terminal-text.ts';
import type { FileCheck, FileNews } from '../inspect/check-files.ts';
import { verifyDeep } from '../inspect/deep-check.ts';
import { deepJson } from '../inspect/inspect-after-run.ts';
import { suspectLines } from '../inspect/suspect-lines.ts';
import { runInTerminal } from '../run/run-in-terminal.ts';
import { fixFiles, verifyFiles } from './verify-files.ts';

/** Changes nothing. Returns 0 when every file is whole, else 1. */
export async function verify(dir: string, flags: RawOptions = {}): Promise<number> {
  const invocation = readInvocation(flags, { out: dir });
  const say = phrasesOf(invocation.language);
  const check = await verifyFilesAloud(invocation, say);
  printCheck(check, say);
  return printNext(check, invocation.words.run, say);
}

async function verifyFilesAloud(invocation: Invocation, say: Phrases): Promise<FileCheck> {
  using work = longLook(message('work.files'), invocation);
  return await verifyFiles(invocation, newsPrinter(say), work.done);
}

async function verifyDeepAloud(invocation: Invocation, say: Phrases): ReturnType<typeof verifyDeep> {
  using work = longLook(message('work.videos'), invocation);
  return await verifyDeep(invocation, newsPrinter(say), work.done);
}

/** The same, and looks into the videos. What it finds is no reason for another exit code: nothing is known to be wrong. */
async function verifyAndLook(dir: string, flags: RawOptions): Promise<number> {
  const invocation = readInvocation(flags, { out: dir });
  const say = phrasesOf(invocation.language);
  const { check, deep } = await verifyDeepAloud(invocation, say);
  printInUse(deep.inUse, say);
  if (invocation.options.json) {
    printJson({ files: check.files, flawed: check.flawed, missing: check.missing, ...deepJson(deep) });
    return check.flawed > 0 ? 1 : 0;
  }
  printCheck(check, say);
  for (const line of suspectLines(deep, say)) printResult(line);
  return printNext(check, invocation.words.run, say);
}

/** Prints what to type next, and returns the exit code. */
function printNext(check: FileCheck, run: string, say: Phrases): number {
  const away = renderAway(check, say);
  if (away !== null) printNotice(away);
  const { firstStep, fetchAgain, recognize } = say.ending;
  const command = `${firstStep}batch verify ${run} --fix`;
  if (check.flawed > check.lasting) printResult(`${command}   ${fetchAgain}`);
  else if (check.back > 0) printResult(`${command}   ${recognize}`);
  return check.flawed > 0 ? 1 : 0;
}

/** Exit codes of a run that was stopped before it could download all files. */
const brokenOff: ReadonlySet<number> = new Set([3, 130, 143]);

/** Downloads damaged and missing files again. Returns 0 when every file is whole afterwards, else 1 or the code of a stopped run. */
export async function verifyAndFix(dir: string, flags: RawOptions): Promise<number> {
  const invocation = readInvocation(flags, { out: dir });
  const say = phrasesOf(invocation.language);
  if (invocation.options.events === '-') claimStandardOutput();
  using work = longWork(message('work.files'), invocation);
  const agree = async (check: FileCheck): Promise<boolean> => {
    work[Symbol.dispose]();
    printCheck(check, say);
    // The disk may not be mounted: nothing changes until the user confirms that the files are lost.
    const away = renderAway(check, say);
    if (away === null) return true;
    printNotice(away);
    return isFetchingConfirmed(invocation.options, say);
  };
  const fixed = await fixFiles({
    invocation,
    report: newsPrinter(say),
    onProgress: work.done,
    agree,
    session: runInTerminal,
  });
  if (fixed === null) return 1;
  const { session: exitCode, isLacking, wanted, fetched, inUse } = fixed;
  printInUse(inUse, say);
  if (wanted > 0 && !invocation.options.json) printResult(say.ending.fetched(fetched, wanted));
  if (exitCode !== null && brokenOff.has(exitCode)) return exitCode;
  return isLacking ? 1 : 0;
}

/** Prints each file that is not as it was saved. */
function newsPrinter({ render }: Phrases): (news: FileNews) => void {
  return ({ path, words }) => printNotice(toTerminalText(`${path}: ${render(words)}`));
}

function printCheck({ files, flawed }: FileCheck, { ending: say }: Phrases): void {
  printResult(say.files(files, flawed));
}

/** The warning that the disk may not be mounted; null when it is not needed. */
function renderAway({ files, missing }: FileCheck, { ending: say }: Phrases): string | null {
  return isDiskAway(files, missing) ? say.filesAway(missing, files) : null;
}

export const handle: Handle = async (argv) => {
  const dir = String(argv.dir);
  if (argv.deep === true && argv.fix === true) throw new UsageError(message('refused.fix-and-deep'));
  if (argv.deep === true) {
    process.exitCode = await verifyAndLook(dir, givenOptions(argv, deepGroups));
    return;
  }
  process.exitCode =
    argv.fix === true
      ? await verifyAndFix(dir, givenOptions(argv, goOnGroups))
      : await verify(dir, givenOptions(argv, lookGroups));
};
