/** The confirmations that the program asks for. */

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
 * Asks on a terminal before many rows are submitted, or rows that already have a video. True without a terminal, or with
 * `--yes`.
 */
export async function isConfirmed(
  { estimate, range, isRehearsal }: Pick<EstimateText, 'estimate' | 'range' | 'isRehearsal'>,
  options: Options,
  isPaidAgain = false,
): Promise<boolean> {
  const isMuch = estimate.rows > fixed.confirmAboveRows || (isPaidAgain && estimate.rows > 0);
  if (options.yes || !canAsk() || !isMuch) return true;
  const play = isRehearsal ? ' of play money' : '';
  return isAgreed(`Submit ${renderRows(estimate.rows)} for ${renderAmount({ estimate, range })}${play}?`);
}

/** For `mayPayHere`: asks on a terminal; elsewhere requires `--yes` or `--moved`. */
export function askPlace(options: Options): AskPlace {
  return async (news) => {
    if (!options.yes && !canAsk()) throw new UsageError(`${news}; ${placeAdvice}`);
    printNotice(toTerminalText(`warning: ${news}`));
    return options.yes || isAgreed('Is no run going in the other folder, and should this one continue?');
  };
}

/** Asks before nearly all files are downloaded again; without a terminal requires `--yes`. */
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

/** The answer; '' at the end of input. Ctrl-C interrupts the program as always. */
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

/** What a continued run submits and may cost; empty when it submits nothing. */
export function submissionLines(text: EstimateText): readonly string[] {
  if (text.estimate.rows === 0) return [];
  return [`Plan: ${renderNumber(text.estimate.rows)} to submit`, ...renderEstimate(text)];
}
