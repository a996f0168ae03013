/**
 * Runs a command line, and turns errors into a line and an exit code in one place. Prints help without loading the parser
 * and the code of commands.
 */

import { keepBug } from '../app/bug-record.ts';
import { hearAsides, noteTyped, programVersion, writeForThisSystem } from '../app/program.ts';
import { BatchError, bugExitCode, DiskError, isBug, isOutOfFiles, saidOf, UsageError } from '../errors.ts';
import { type Message, message } from '../messages/message.ts';
import { typeAs } from '../text/run-words.ts';
import { flushOutput, printError, printNotice, printStack } from './console.ts';
import { limitNewSpace } from './new-space.ts';
import { noteStarter } from './starter.ts';
import { exitAtOnce, outliveTerminal } from './stop-signals.ts';
import { ownStrayErrors } from './stray-errors.ts';
import { typedName } from './typed-name.ts';

/** The result could not be written although its reader is still there: a full disk, so the exit code must not be 0. */
let isResultLost = false;
const diskExitCode = 4;

/** Runs one command line and ends the process with its exit code. */
export async function main(args: readonly string[]): Promise<void> {
  writeForThisSystem();
  typeAs(typedName(process.env, process.argv[1] ?? ''));
  noteTyped(args);
  hearAsides((said) => printAside(said, args).catch(() => {}));
  // A failed message must not end a run: `2>log` on a full disk would leave creations in flight without their answers.
  process.stderr.on('error', () => {});
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    isResultLost ||= error.code !== 'EPIPE' && error.code !== 'EIO';
  });
  noteStarter();
  outliveTerminal();
  ownStrayErrors((error) => {
    end(error, args).catch(() => exitAtOnce(bugExitCode));
  });
  try {
    await answer(args);
  } catch (error) {
    await end(error, args);
  }
  await leave();
}

/** Ends the process with this error. */
async function end(error: unknown, args: readonly string[]): Promise<void> {
  process.exitCode = await report(error, args);
  await leave();
}

async function leave(): Promise<never> {
  await flushOutput();
  if (isResultLost && Number(process.exitCode ?? 0) <= 1) process.exitCode = diskExitCode;
  return exitAtOnce();
}

async function answer(args: readonly string[]): Promise<void> {
  const words = args.includes('--') ? args.slice(0, args.indexOf('--')) : args;
  if (words[0] === 'help' || words.includes('--help') || words.includes('-h')) {
    process.stdout.write(await help(words, process.stdout));
    return;
  }
  if (words.includes('--version')) {
    process.stdout.write(`${programVersion()}\n`);
    return;
  }
  if (args.length === 0) {
    // A user at a terminal gets the help too; a script gets one line.
    if (process.stderr.isTTY) process.stderr.write(`${await firstSteps(process.stderr)}\n`);
    throw new UsageError(message('usage.no-command'));
  }
  await findWorkingFolder();
  limitNewSpace();
  const { obey } = await import('./parse-line.ts');
  await obey(args);
}

/** Every path starts there. Node asks the system once, so that a folder which goes later stops no run. */
async function findWorkingFolder(): Promise<void> {
  try {
    process.cwd();
  } catch (error) {
    throw new UsageError(message('usage.no-folder'), error);
  }
}

async function firstSteps({ columns }: NodeJS.WriteStream): Promise<string> {
  const { renderFirstSteps } = await import('./help/overview.ts');
  const { languageOfArgs } = await import('./language.ts');
  return renderFirstSteps(helpWidth(columns), languageOfArgs([]));
}

/** Longer lines are hard to read. */
function helpWidth(columns: number): number {
  return Math.min(100, columns || 100);
}

/** The help of the first command in these words, or of the program, as wide as the terminal; after `--help all` nothing is left out. */
async function help(words: readonly string[], { columns }: NodeJS.WriteStream): Promise<string> {
  const { renderCommandHelp, renderOverview, renderWholeHelp } = await import('./help/overview.ts');
  const { commands } = await import('./command-list.ts');
  const { languageOfArgs } = await import('./language.ts');
  const language = languageOfArgs(words);
  const width = helpWidth(columns);
  const isAll = (word: string, at: number): boolean =>
    word === 'all' && /^(--help|-h)$/.test(words[at - 1] ?? '');
  const [name] = words.filter(
    (word, at) => word !== 'help' && !word.startsWith('-') && words[at - 1] !== '--lang' && !isAll(word, at),
  );
  if (name === undefined) return renderOverview(width, language);
  const command = commands.find((one) => one.name === name);
  if (command !== undefined)
    return (words.some(isAll) ? renderWholeHelp : renderCommandHelp)(command, width, language);
  const { nearWord } = await import('../text/near-word.ts');
  const { goneError } = await import('../app/options/gone.ts');
  const names = commands.map((one) => one.name);
  const near = nearWord(name, names);
  throw (
    goneError(`batch ${name}`) ??
    new UsageError(
      near === null
        ? message('refused.no-command', { word: name })
        : message('refused.near-command', { word: name, near }),
    )
  );
}

async function printAside(said: Message, args: readonly string[]): Promise<void> {
  const { phrasesOf } = await import('../terminal/phrases/phrases.ts');
  const { languageOfArgs } = await import('./language.ts');
  const { toTerminalText } = await import('../terminal/terminal-text.ts');
  printNotice(toTerminalText(phrasesOf(languageOfArgs(args)).render(said)));
}

/** Prints the error and returns the exit code. */
async function report(thrown: unknown, args: readonly string[]): Promise<number> {
  const error = isBug(thrown) && isOutOfFiles(thrown) ? await outOfFiles(thrown) : thrown;
  const { phrasesOf } = await import('../terminal/phrases/phrases.ts');
  const { languageOfArgs } = await import('./language.ts');
  const say = phrasesOf(languageOfArgs(args));
  printError(error, say);
  if (!isBug(error)) return error instanceof BatchError ? error.exitCode : bugExitCode;
  const kept = keepBug(error);
  printNotice(`batch: ${say.render(message('usage.bug'))}${kept}`);
  if (args.includes('--verbose') || args.includes('-v')) printStack(error);
  return bugExitCode;
}

/** Anything may need one file more, so this is reported here and not at each of them. */
async function outOfFiles(cause: unknown): Promise<DiskError> {
  return new DiskError(message('system.files', { failure: saidOf(cause) }), cause);
}
