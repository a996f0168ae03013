/** The list of commands, and the one place where errors become a line and an exit code. */

import { readFileSync } from 'node:fs';
import yargs from 'yargs';
import { BatchError, UsageError } from '../errors.ts';
import type { Command } from './command.ts';
import { flushOutput, printError, printNotice } from './console.ts';
import { flagNames, switchNames } from './flags.ts';
import { didYouMean } from './near-word.ts';
import { standardInput } from './standard-input.ts';

/** Usage, summary and file of each command; a file is loaded when its command is called. */
const commands: readonly (readonly [usage: string, summary: string, load: () => Promise<Command>])[] = [
  [
    'run [file]',
    'make a video of every question in FILE; the same line again resumes',
    async () => (await import('./run.ts')).command,
  ],
  [
    'resume [dir]',
    'go on from the checkpoint alone, with the options of the run',
    async () => (await import('./resume.ts')).command,
  ],
  [
    'collect [dir]',
    'poll and download what is already paid; submits nothing',
    async () => (await import('./resume.ts')).collectCommand,
  ],
  [
    'check <file>',
    'validate FILE and show the plan; no network, nothing written',
    async () => (await import('./check.ts')).command,
  ],
  [
    'status [dir]',
    'where the run stands; also while it goes on',
    async () => (await import('./status.ts')).command,
  ],
  [
    'retry [dir]',
    'a new, paid attempt for rows that ended badly, then goes on as resume',
    async () => (await import('./retry.ts')).command,
  ],
  [
    'resolve <words..>',
    'settle an uncertain row: resolve [DIR] ID --task-id T, or --not-created',
    async () => (await import('./resolve.ts')).command,
  ],
  [
    'verify [dir]',
    'compare the files with the checkpoint; --fix downloads damaged ones again',
    async () => (await import('./verify.ts')).command,
  ],
  [
    'report [dir]',
    'write the reports again from the checkpoint',
    async () => (await import('./report.ts')).command,
  ],
  [
    'simulate',
    'run the embedded service on loopback: no account, no points',
    async () => (await import('./simulate.ts')).command,
  ],
];

const exitCodes = `Exit codes: 0 every row has its video, 1 some rows ended badly, 2 wrong use, 3 key refused, 4 stopped with
work left, 5 uncertain rows wait for resolve, 6 another process holds the folder, 70 a bug, 130 and 143 interrupted.`;

/** Runs one command line and ends the process with its exit code. */
export async function main(args: readonly string[]): Promise<void> {
  for (const stream of [process.stdout, process.stderr]) stream.on('error', allowNobodyToRead);
  try {
    await parse(args);
  } catch (error) {
    process.exitCode = report(error);
  }
  await flushOutput();
  process.exit();
}

async function parse(args: readonly string[]): Promise<void> {
  for (const arg of args) refuseSwitchValue(arg);
  // The parser loses a lone `-`.
  const program = yargs(args.map((arg) => (arg === '-' ? standardInput : arg)))
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
    .demandCommand(1, 'no command was named')
    .strict()
    .help()
    .alias('help', 'h')
    .version(version())
    .epilogue(exitCodes)
    .wrap(Math.min(110, process.stdout.columns || 110))
    .exitProcess(false)
    .fail((message, error) => {
      throw error ?? new UsageError(usageMessage(message));
    });
  for (const [usage, summary, load] of commands) {
    program.command(
      usage,
      summary,
      async (builder) => (await load()).build(builder),
      async (argv) => (await load()).handle(argv),
    );
  }
  await program.parseAsync();
}

/** The parser takes every value but `true` for a no: `--dry-run=yes` would be a paid run. */
function refuseSwitchValue(arg: string): void {
  const [, name = '', value = ''] = /^--([\w-]+)=(.*)$/s.exec(arg) ?? [];
  if (switchNames.has(name) && value !== 'true' && value !== 'false')
    throw new UsageError(`--${name} takes no value; write --${name} alone, or leave it out`);
}

/** The parser's own words, made one line that says what to do. */
function usageMessage(message: string): string {
  const names = /^Unknown (?:argument|command)s?: (.*)$/m.exec(message)?.[1]?.split(', ') ?? [];
  const [name] = names;
  if (name !== undefined) {
    const words = commands.map(([usage]) => usage.split(' ', 1)[0] ?? '');
    if (flagNames.includes(name))
      return `--${name} is no option of this command; \`batch COMMAND --help\` lists those it has`;
    const near = didYouMean(name, words) || didYouMean(name, flagNames, '--');
    return `"${name}" is not known here${near || '; `batch --help` lists the commands, `batch COMMAND --help` their options'}`;
  }
  if (message.startsWith('Not enough non-option arguments'))
    return 'an argument is missing; `batch COMMAND --help` shows which';
  const line = message.replace(/\s*\n\s*/g, '; ').trim();
  return `${line.charAt(0).toLowerCase()}${line.slice(1)}; \`batch --help\` lists the commands`;
}

function version(): string {
  const manifest: { version: string } = JSON.parse(
    readFileSync(new URL('../../package.json', import.meta.url), 'utf8'),
  );
  return manifest.version;
}

/** Says what went wrong and returns the exit code. */
function report(error: unknown): number {
  printError(error);
  if (error instanceof BatchError) return error.exitCode;
  printNotice('batch: this is a bug in batch; what was saved is safe, the same line again resumes');
  return 70;
}

/** `batch status | head`, or a terminal that was closed: a run goes on, and its exit code stays true. */
function allowNobodyToRead(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EPIPE' && error.code !== 'EIO') throw error;
}
