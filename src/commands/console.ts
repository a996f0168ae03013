/** What the program says: results on standard output, everything else on standard error. */

import { InputError, messageOf } from '../errors.ts';
import { toTerminalText } from '../terminal/terminal-text.ts';

/** A line of the result. */
export function printResult(line: string): void {
  process.stdout.write(`${line}\n`);
}

/** A line about how it goes. */
export function printNotice(line: string): void {
  process.stderr.write(`${line}\n`);
}

/** An error as the user sees it: one line each, never a stack. */
export function printError(error: unknown): void {
  if (error instanceof InputError) {
    for (const { line, message } of error.problems) {
      const place = line === null ? error.file : `${error.file}:${line}`;
      printNotice(`batch: ${toTerminalText(`${place}: ${message}`)}`);
    }
    return;
  }
  printNotice(`batch: ${toTerminalText(messageOf(error))}`);
}

/** Colours go to a terminal only, and nowhere when the user does not want them. */
export function wantsColor(noColor: boolean | undefined): boolean {
  return (
    noColor !== true && !process.env.NO_COLOR && process.env.TERM !== 'dumb' && process.stderr.isTTY === true
  );
}

/** Waits until what was printed has left the process. */
export async function flushOutput(): Promise<void> {
  await Promise.all(
    [process.stdout, process.stderr].map((stream) => new Promise((done) => stream.write('', done))),
  );
}
