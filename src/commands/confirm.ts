/** The one question the program asks. */

import { createInterface } from 'node:readline/promises';
import { fixed } from '../core/policy.ts';
import type { Ledger } from '../core/summary.ts';
import { BatchError } from '../errors.ts';
import type { Options } from '../job-file.ts';
import { renderRows } from '../terminal/numbers.ts';
import { printNotice } from './console.ts';

/** Many rows cost many points: on a terminal somebody has to say yes. True without a terminal, or with `--yes`. */
export async function isConfirmed(rows: number, options: Options): Promise<boolean> {
  const limited = Math.min(rows, options.limit ?? rows);
  const canAsk = process.stdin.isTTY === true && process.stderr.isTTY === true;
  if (options.yes || !canAsk || limited <= fixed.confirmAboveRows) return true;
  if (/^y(es)?$/i.test((await ask(`Submit ${renderRows(limited)}? [y/N] `)).trim())) return true;
  printNotice('Nothing was submitted.');
  return false;
}

/** The answer; '' at the end of input. Ctrl-C is an interruption like any other. */
async function ask(question: string): Promise<string> {
  const reader = createInterface({ input: process.stdin, output: process.stderr });
  let isInterrupted = false;
  const ended = new Promise<string>((resolve) => reader.once('close', () => resolve('')));
  reader.once('SIGINT', () => {
    isInterrupted = true;
    reader.close();
  });
  const answer = await Promise.race([reader.question(question), ended]);
  reader.close();
  if (isInterrupted) throw new BatchError('INTERRUPTED', 130, 'interrupted; nothing was submitted');
  return answer;
}

/** Rows that wait to be submitted. */
export function pendingRows(ledger: Ledger): number {
  return ledger.counts.pending;
}
