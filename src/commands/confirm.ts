/** The questions that the program asks. */

import { createInterface } from 'node:readline/promises';
import { type AskPlace, placeAdvice } from '../app/moved-folder.ts';
import type { Options } from '../app/options.ts';
import { fixed } from '../core/policy.ts';
import { BatchError, UsageError } from '../errors.ts';
import { type EstimateText, renderAmount, renderEstimate } from '../terminal/estimate-text.ts';
import { renderNumber, renderRows } from '../terminal/numbers.ts';
import { toTerminalText } from '../terminal/terminal-text.ts';
import { printNotice } from './console.ts';

/**
 * Many rows cost many points, and so does what is there already and paid for again: on a terminal somebody has to say yes. True
 * without a terminal, or with `--yes`.
 */
export async function isConfirmed(
  { estimate, isRehearsal }: Pick<EstimateText, 'estimate' | 'isRehearsal'>,
  options: Options,
  isPaidAgain = false,
): Promise<boolean> {
  const isMuch = estimate.rows > fixed.confirmAboveRows || (isPaidAgain && estimate.rows > 0);
  if (options.yes || !canAsk() || !isMuch) return true;
  const play = isRehearsal ? ' of play money' : '';
  return isAgreed(`Submit ${renderRows(estimate.rows)} for ${renderAmount(estimate)}${play}?`);
}

/** For `mayPayHere`: on a terminal somebody has to say yes, elsewhere `--yes` or `--moved`. */
export function askPlace(options: Options): AskPlace {
  return async (news) => {
    if (!options.yes && !canAsk()) throw new UsageError(`${news}; ${placeAdvice}`);
    printNotice(toTerminalText(`warning: ${news}`));
    return options.yes || isAgreed('Is no run going in the other folder, and should this one continue?');
  };
}

/** Before nearly all files are fetched again: on a terminal somebody has to say yes, elsewhere `--yes`. */
export async function isFetchingConfirmed({ yes }: Options): Promise<boolean> {
  if (yes || (canAsk() && (await hasSaidYes('Download them all again?')))) return true;
  printNotice('Nothing was changed; mount it, or use --yes to download them all again');
  return false;
}

function canAsk(): boolean {
  return process.stdin.isTTY === true && process.stderr.isTTY === true;
}

async function isAgreed(question: string): Promise<boolean> {
  if (await hasSaidYes(question)) return true;
  printNotice('Nothing was submitted.');
  return false;
}

async function hasSaidYes(question: string): Promise<boolean> {
  return /^y(es)?$/i.test((await ask(`${question} [y/N] `)).trim());
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

/** What going on submits and may cost; nothing where nothing is submitted. */
export function submissionLines(text: EstimateText): readonly string[] {
  if (text.estimate.rows === 0) return [];
  return [`Plan: ${renderNumber(text.estimate.rows)} to submit`, ...renderEstimate(text)];
}
