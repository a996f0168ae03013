/** The one question the program asks. */

import { createInterface } from 'node:readline/promises';
import { fixed } from '../core/policy.ts';
import type { Ledger } from '../core/summary.ts';
import type { Options } from '../job-file.ts';
import { renderRows } from '../terminal/numbers.ts';
import { printNotice } from './console.ts';

/** Many rows cost many points: on a terminal somebody has to say yes. True without a terminal, or with `--yes`. */
export async function isConfirmed(rows: number, options: Options): Promise<boolean> {
  const limited = Math.min(rows, options.limit ?? rows);
  const canAsk = process.stdin.isTTY === true && process.stderr.isTTY === true;
  if (options.yes || !canAsk || limited <= fixed.confirmAboveRows) return true;
  const reader = createInterface({ input: process.stdin, output: process.stderr });
  const answer = await reader.question(`Submit ${renderRows(limited)}? [y/N] `);
  reader.close();
  if (/^y(es)?$/i.test(answer.trim())) return true;
  printNotice('Nothing was submitted.');
  return false;
}

/** Rows that wait to be submitted. */
export function pendingRows(ledger: Ledger): number {
  return ledger.counts.pending;
}
