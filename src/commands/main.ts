/**
 * What a command line asks for, and the one place where errors become a line and an exit code. Help is said
 * before the parser and the work are loaded.
 */

import { readFileSync } from 'node:fs';
import { keepBug } from '../app/bug-record.ts';
import { BatchError, bugExitCode, isBug, UsageError } from '../errors.ts';
import { flushOutput, printError, printNotice, printStack } from './console.ts';
import { outliveTerminal } from './stop-signals.ts';

/** The result could not be written, though somebody wants it: that is a full disk, and no good end. */
let isResultLost = false;
const diskExitCode = 4;

/** Runs one command line and ends the process with its exit code. */
export async function main(args: readonly string[]): Promise<void> {
  // Nothing that is said may end a run: `2>log` on a full disk would leave creations on their way without their answers.
  process.stderr.on('error', () => {});
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    isResultLost ||= error.code !== 'EPIPE' && error.code !== 'EIO';
  });
  outliveTerminal();
  try {
    await answer(args);
  } catch (error) {
    process.exitCode = report(error, args.includes('--verbose'));
  }
  await flushOutput();
  if (isResultLost && Number(process.exitCode ?? 0) <= 1) process.exitCode = diskExitCode;
  process.exit();
}

async function answer(args: readonly string[]): Promise<void> {
  const words = args.includes('--') ? args.slice(0, args.indexOf('--')) : args;
  if (words[0] === 'help' || words.includes('--help') || words.includes('-h')) {
    const [name] = words.filter((word) => word !== 'help' && !word.startsWith('-'));
    process.stdout.write(await help(name, process.stdout));
    return;
  }
  if (words.includes('--version')) {
    process.stdout.write(`${version()}\n`);
    return;
  }
  if (args.length === 0) {
    // Who sits before a terminal is helped at once; a script gets its one line.
    if (process.stderr.isTTY) process.stderr.write(`${await help(undefined, process.stderr)}\n`);
    throw new UsageError('no command was given; `batch --help` lists the commands');
  }
  const { keepCompiledCode } = await import('./compile-cache.ts');
  keepCompiledCode();
  const { obey } = await import('./parse-line.ts');
  await obey(args);
}

/** The help of the command with this name, or of the program, as wide as it is shown. */
async function help(name: string | undefined, { columns }: NodeJS.WriteStream): Promise<string> {
  const { renderCommandHelp, renderOverview } = await import('./overview.ts');
  const { commands } = await import('./command-list.ts');
  const width = Math.min(100, columns || 100);
  if (name === undefined) return renderOverview(width);
  const command = commands.find((one) => one.name === name);
  if (command !== undefined) return renderCommandHelp(command, width);
  const { didYouMean } = await import('../core/text/near-word.ts');
  const names = commands.map((one) => one.name);
  throw new UsageError(
    `"${name}" is not a command${didYouMean(name, names) || '; `batch --help` lists them'}`,
  );
}

function version(): string {
  const manifest: { version: string } = JSON.parse(
    readFileSync(new URL('../../package.json', import.meta.url), 'utf8'),
  );
  return manifest.version;
}

/** Says what went wrong and returns the exit code. */
function report(error: unknown, isVerbose: boolean): number {
  printError(error);
  if (!isBug(error)) return error instanceof BatchError ? error.exitCode : bugExitCode;
  const kept = keepBug(error);
  printNotice(`batch: this is a bug in batch; what was saved is safe, the same command resumes${kept}`);
  if (isVerbose) printStack(error);
  return bugExitCode;
}
