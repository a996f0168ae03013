/** What the program says: results on standard output, everything else on standard error. */

import { createRedact } from '../core/text/redact.ts';
import { InputError, messageOf, stackOf } from '../errors.ts';
import { toTerminalJson, toTerminalLine, toTerminalText } from '../terminal/terminal-text.ts';

/** True where npx started the program: in a checkout, and beside a package that is not installed globally, `batch` alone is not found. */
const isUnderNpx =
  process.env.npm_lifecycle_event === 'npx' && /^["']?batch\b/.test(process.env.npm_lifecycle_script ?? '');

/** The line with its commands as the user has to type them: they stand in backticks, in a column, or after a label (`Next: `). */
function asTyped(line: string): string {
  return isUnderNpx ? line.replace(/(`| {3}|(?:^ *|\. )[A-Z][\w ]*: )(?=batch [a-z])/g, '$1npx ') : line;
}

/** A line of the result. */
export function printResult(line: string): void {
  process.stdout.write(`${toTerminalLine(asTyped(line))}\n`);
}

/** The result as one JSON object. */
export function printJson(result: object): void {
  process.stdout.write(`${toTerminalJson(result)}\n`);
}

/** A line about how it goes. */
export function printNotice(line: string): void {
  process.stderr.write(`${toTerminalLine(asTyped(line))}\n`);
}

/** A line that is fit for a terminal and may be coloured. */
export function printPainted(line: string): void {
  process.stderr.write(`${asTyped(line)}\n`);
}

/** An error as the user sees it: one line each, never a stack, nor the key where it was typed in the wrong place. */
export function printError(error: unknown): void {
  const redact = createRedact([process.env.BATCH_API_KEY ?? '']);
  if (error instanceof InputError) {
    for (const { line, message } of error.problems) {
      const place = line === null ? error.file : `${error.file}:${line}`;
      printNotice(`batch: ${toTerminalText(redact(`${place}: ${message}`))}`);
    }
    return;
  }
  printNotice(`batch: ${toTerminalText(redact(messageOf(error)))}`);
}

/** Where an error comes from, line by line, for those who asked for all there is. */
export function printStack(error: unknown): void {
  const redact = createRedact([process.env.BATCH_API_KEY ?? '']);
  for (const line of redact(stackOf(error)).split('\n')) printNotice(toTerminalText(line));
}

/** Colours go to a terminal only, and nowhere when the user does not want them. */
export function wantsColor(noColor: boolean | undefined): boolean {
  return (
    noColor !== true && !process.env.NO_COLOR && process.env.TERM !== 'dumb' && process.stderr.isTTY === true
  );
}

/** True where standard error is a terminal with somebody before it: what is drawn there can be drawn again. */
export function canMoveCursor(): boolean {
  return process.stderr.isTTY === true && process.env.TERM !== 'dumb' && !process.env.CI;
}

/** Waits until what was printed has left the process. */
export async function flushOutput(): Promise<void> {
  await Promise.all(
    [process.stdout, process.stderr].map((stream) => new Promise((done) => stream.write('', done))),
  );
}
