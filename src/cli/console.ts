/** Prints results to standard output, and everything else to standard error. */

import { inSource } from '../app/source-lines.ts';
import { BatchError, InputError, messageOf, stackOf } from '../errors.ts';
import type { Phrases } from '../terminal/phrases/phrases.ts';
import { toTerminalJson, toTerminalLine, toTerminalText } from '../terminal/terminal-text.ts';
import { shownLines } from '../terminal/wrap-lines.ts';
import { createRedact } from '../text/redact.ts';
import { asTyped } from '../text/run-words.ts';

/** Where results go: standard output, unless that is for something else. */
let results: NodeJS.WriteStream = process.stdout;

/** Leaves standard output to the caller: results go to standard error from now on. */
export function claimStandardOutput(): NodeJS.WriteStream {
  results = process.stderr;
  return process.stdout;
}

/** What stands in the line of the cursor, and goes away before anything else is printed. */
let clearLine = (): void => {};

export function clearLineWith(clear: () => void): void {
  clearLine = clear;
}

/** Prints a line of the result. */
export function printResult(line: string): void {
  clearLine();
  results.write(linesFor(results, line));
}

function linesFor(stream: NodeJS.WriteStream, line: string): string {
  return `${shownLines(line, columnsOf(stream)).join('\n')}\n`;
}

/** Columns of the terminal that shows the result; null where it goes elsewhere. */
export function resultColumns(): number | null {
  return columnsOf(process.stdout);
}

function columnsOf(stream: NodeJS.WriteStream): number | null {
  return stream.isTTY ? stream.columns || 80 : null;
}

/** Prints a table as the result: to a file or pipe its exact text. */
export function printTable(text: string): void {
  const shown = process.stdout.isTTY
    ? text
        .replace(/^\ufeff/, '')
        .split('\r\n')
        .map(toTerminalLine)
        .join('\n')
    : text;
  clearLine();
  process.stdout.write(shown);
}

/** Prints the result as one JSON object. */
export function printJson(result: object): void {
  clearLine();
  process.stdout.write(`${toTerminalJson(result)}\n`);
}

/** Prints a message. */
export function printNotice(line: string): void {
  clearLine();
  process.stderr.write(linesFor(process.stderr, line));
}

/** Prints a line that is already safe for a terminal and may have colours. */
export function printPainted(line: string): void {
  clearLine();
  process.stderr.write(`${asTyped(line)}\n`);
}

/** Prints an error: one line each, never a stack, and never a key that was typed in the wrong place. */
export function printError(error: unknown, { render }: Phrases): void {
  const redact = createRedact([process.env.BATCH_API_KEY ?? '']);
  if (error instanceof InputError) {
    for (const { line, message, said } of error.problems) {
      const place = line === null ? error.file : `${error.file}:${line}`;
      printNotice(`batch: ${toTerminalText(redact(`${place}: ${render(said ?? message)}`))}`);
    }
    return;
  }
  const said = error instanceof BatchError ? error.said : null;
  printNotice(`batch: ${toTerminalText(redact(render(said ?? messageOf(error))))}`);
}

/** Prints the stack of an error, for `--verbose`. */
export function printStack(error: unknown): void {
  const redact = createRedact([process.env.BATCH_API_KEY ?? '']);
  for (const line of redact(inSource(stackOf(error))).split('\n')) printNotice(toTerminalText(line));
}

/** A terminal that says that it knows no sequences: its name is empty or `dumb`. Windows gives none a name. */
function isDumb(): boolean {
  return process.env.TERM === 'dumb' || process.env.TERM === '';
}

/** True when standard error is a terminal and the user has not disabled colours. */
export function wantsColor(noColor: boolean | undefined): boolean {
  return noColor !== true && !process.env.NO_COLOR && !isDumb() && process.stderr.isTTY === true;
}

/** True when standard error is an interactive terminal, which can be redrawn. */
export function canMoveCursor(): boolean {
  return process.stderr.isTTY === true && !isDumb() && !process.env.CI;
}

/** Waits until all output has left the process; a command that owns standard output has waited for its reader. */
export async function flushOutput(): Promise<void> {
  await Promise.all([results, process.stderr].map((stream) => new Promise((done) => stream.write('', done))));
}
