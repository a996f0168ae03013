/** The list of commands, and the one place where errors become a line and an exit code. */

import { readFileSync } from 'node:fs';
import yargs from 'yargs';
import { BatchError, UsageError } from '../errors.ts';
import { checkCommand } from './check.ts';
import { flushOutput, printError, printNotice } from './console.ts';
import { reportCommand } from './report.ts';
import { resolveCommand } from './resolve.ts';
import { collectCommand, resumeCommand } from './resume.ts';
import { retryCommand } from './retry.ts';
import { runCommand } from './run.ts';
import { simulateCommand } from './simulate.ts';
import { statusCommand } from './status.ts';
import { verifyCommand } from './verify.ts';

const commands = [
  runCommand,
  resumeCommand,
  collectCommand,
  checkCommand,
  statusCommand,
  retryCommand,
  resolveCommand,
  verifyCommand,
  reportCommand,
  simulateCommand,
];

const exitCodes = `Exit codes: 0 every row has its video, 1 some rows ended badly, 2 wrong use, 3 key refused, 4 stopped with
work left, 5 uncertain rows wait for resolve, 6 another process holds the folder, 70 a bug, 130 and 143 interrupted.`;

/** Runs one command line and ends the process with its exit code. */
export async function main(args: readonly string[]): Promise<void> {
  process.stdout.on('error', leaveWhenNobodyReads);
  try {
    await parse(args);
  } catch (error) {
    process.exitCode = report(error);
  }
  await flushOutput();
  process.exit();
}

async function parse(args: readonly string[]): Promise<void> {
  const program = yargs([...args])
    .scriptName('batch')
    .locale('en')
    .usage(
      'batch COMMAND\n\nTurns a file of questions into a folder of explanatory videos. Nothing is paid for twice.',
    )
    .parserConfiguration({
      'boolean-negation': false,
      'camel-case-expansion': false,
      'parse-numbers': false,
      'parse-positional-numbers': false,
    })
    .command(commands)
    .demandCommand(1, 'name a command; `batch --help` lists them')
    .strict()
    .recommendCommands()
    .help()
    .alias('help', 'h')
    .version(version())
    .epilogue(exitCodes)
    .wrap(Math.min(110, process.stdout.columns || 110))
    .exitProcess(false)
    .fail((message, error) => {
      throw error ?? new UsageError(usageMessage(message));
    });
  await program.parseAsync();
}

/** The parser's own words, made one line that says what to do. */
function usageMessage(message: string): string {
  const line = message.replace(/\s*\n\s*/g, '; ').trim();
  return `${line.charAt(0).toLowerCase()}${line.slice(1)}; \`batch --help\` shows the commands, \`batch COMMAND --help\` their options`;
}

function version(): string {
  const manifest: { version: string } = JSON.parse(
    readFileSync(new URL('../../package.json', import.meta.url), 'utf8'),
  );
  return manifest.version;
}

/** Says what went wrong and returns the exit code. */
function report(error: unknown): number {
  if (error instanceof BatchError) {
    printError(error);
    return error.exitCode;
  }
  printError(error);
  printNotice('batch: this is a bug in batch; what was saved is safe, the same line again resumes');
  return 70;
}

/** `batch status | head`: a reader that has seen enough is no error. */
function leaveWhenNobodyReads(error: NodeJS.ErrnoException): void {
  if (error.code === 'EPIPE') process.exit();
  throw error;
}
