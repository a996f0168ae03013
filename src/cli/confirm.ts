/** The confirmations that the program asks for. */

import { createInterface } from 'node:readline/promises';
import {
  noteService,
  type UnknownService,
  unknownService,
  unknownServiceOf,
} from '../app/files/used-services.ts';
import type { Options } from '../app/options/options.ts';
import { serviceOf } from '../app/options/settings.ts';
import { type AskPlace, placeAdvice } from '../app/place/moved-folder.ts';
import type { RunSetup } from '../app/session.ts';
import { BatchError, UsageError } from '../errors.ts';
import { type EstimateText, renderAmount, renderEstimate } from '../features/run/estimate-text.ts';
import type { Agreement } from '../features/run/note-agreement.ts';
import { type Message, message, several } from '../messages/message.ts';
import { fixed } from '../money/policy.ts';
import type { Phrases } from '../terminal/phrases/phrases.ts';
import { renderWarning } from '../terminal/plain-lines.ts';
import { printNotice } from './console.ts';

/**
 * Asks on a terminal before many rows are submitted, or rows that already have a video; how that was agreed to. Null for a no.
 */
export async function askToSubmit(
  { estimate, range, isRehearsal }: Pick<EstimateText, 'estimate' | 'range' | 'isRehearsal'>,
  options: Options,
  say: Phrases,
  isPaidAgain = false,
): Promise<Agreement | null> {
  const isMuch = estimate.rows > fixed.confirmAboveRows || (isPaidAgain && estimate.rows > 0);
  if (options.yes) return 'yes';
  if (!canAsk() || !isMuch) return 'unasked';
  const question = say.plan.submit(estimate.rows, renderAmount({ estimate, range }, say), isRehearsal);
  return (await isAgreed(question, say)) ? 'agreed' : null;
}

/** Asks on a terminal; elsewhere requires `--yes` or `--moved`. */
export function askPlace(options: Options, say: Phrases): AskPlace {
  return async (news) => {
    if (!options.yes && !canAsk()) throw new UsageError(several([news, placeAdvice]));
    printNotice(renderWarning(news, say));
    return options.yes || isAgreed(say.plan.continueHere, say);
  };
}

/** Asks before rows are sent again whose creations may have made tasks, as `news` says; elsewhere `command` is to be typed. */
export async function isNoneConfirmed(
  news: readonly Message[],
  command: string,
  { yes }: Options,
  say: Phrases,
): Promise<boolean> {
  if (yes) return true;
  if (!canAsk()) throw new UsageError(several([...news, message('resolve.say-yes', { command })]));
  for (const one of news) printNotice(renderWarning(one, say));
  return hasSaidYes(say.plan.noneInAccount, say);
}

/**
 * Says where the key will be sent, and asks where somebody else may have written the address and the user has not used it before.
 * False where the answer is no; throws `UsageError` where nobody can be asked.
 */
export async function agreesToService(
  { invocation, options }: Pick<RunSetup, 'invocation' | 'options'>,
  say: Phrases,
): Promise<boolean> {
  if (options.simulate) return true;
  const address = serviceOf(invocation, options).baseUrl;
  if (invocation.options['base-url'] === undefined && !options.quiet) printNotice(say.plan.service(address));
  const unknown = await unknownServiceOf(invocation, address);
  if (unknown !== null && !(await isServiceConfirmed(unknown, say))) return false;
  await noteService(address);
  return true;
}

/**
 * Asks before the key is sent to an address that somebody else may have written; elsewhere it is an error. `--yes` agrees to
 * rows and points alone.
 */
async function isServiceConfirmed(service: UnknownService, say: Phrases): Promise<boolean> {
  if (!canAsk()) throw unknownService(service);
  return isAgreed(say.plan.sendKey(service), say);
}

/** Asks before nearly all files are downloaded again; without a terminal requires `--yes`. */
export async function isFetchingConfirmed({ yes }: Options, say: Phrases): Promise<boolean> {
  if (yes || (canAsk() && (await hasSaidYes(say.plan.fetchAll, say)))) return true;
  printNotice(say.plan.nothingFetched);
  return false;
}

function canAsk(): boolean {
  return process.stdin.isTTY === true && process.stderr.isTTY === true;
}

async function isAgreed(question: string, say: Phrases): Promise<boolean> {
  if (await hasSaidYes(question, say)) return true;
  printNotice(say.plan.nothingSubmitted);
  return false;
}

async function hasSaidYes(question: string, { plan: say }: Phrases): Promise<boolean> {
  return say.yes.test((await ask(say.yesOrNo(question))).trim());
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
  if (isInterrupted) throw new BatchError('INTERRUPTED', 130, message('usage.interrupted'));
  return answer;
}

/** What a continued run submits and may cost; empty when it submits nothing. */
export function submissionLines(text: EstimateText, say: Phrases): readonly string[] {
  if (text.estimate.rows === 0) return [];
  return [say.plan.plan(say.plan.toSubmit(text.estimate.rows)), ...renderEstimate(text, say)];
}
