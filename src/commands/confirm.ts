/** The one question the program asks. */

import { createInterface } from 'node:readline/promises';
import { fixed } from '../core/policy.ts';
import { BatchError } from '../errors.ts';
import type { Options } from '../job-file.ts';
import { type EstimateText, renderAmount, renderEstimate } from '../terminal/estimate-text.ts';
import { renderNumber, renderRows } from '../terminal/numbers.ts';
import { printNotice } from './console.ts';

/** Many rows cost many points: on a terminal somebody has to say yes. True without a terminal, or with `--yes`. */
export async function isConfirmed(
  { estimate, isRehearsal }: Pick<EstimateText, 'estimate' | 'isRehearsal'>,
  options: Options,
): Promise<boolean> {
  const canAsk = process.stdin.isTTY === true && process.stderr.isTTY === true;
  if (options.yes || !canAsk || estimate.rows <= fixed.confirmAboveRows) return true;
  const play = isRehearsal ? ' of play money' : '';
  const question = `Submit ${renderRows(estimate.rows)} for ${renderAmount(estimate)}${play}? [y/N] `;
  if (/^y(es)?$/i.test((await ask(question)).trim())) return true;
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

/** Says what going on submits and may cost; nothing where nothing is submitted. */
export function saySubmission(text: EstimateText): void {
  if (text.estimate.rows === 0) return;
  for (const line of [`Plan: ${renderNumber(text.estimate.rows)} to submit`, ...renderEstimate(text)])
    printNotice(line);
}
