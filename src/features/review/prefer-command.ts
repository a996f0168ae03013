/** `batch prefer`: chooses which attempt's video stands for a row, also while the run goes. */

import { readPreferences } from '../../app/naming/read-marks.ts';
import { invalidOption } from '../../app/options/invalid-option.ts';
import { readInvocation } from '../../app/options/settings.ts';
import { type Handle, wordsOf } from '../../cli/command.ts';
import { printNotice, printResult } from '../../cli/console.ts';
import { lookGroups } from '../../cli/flags/common-flags.ts';
import { givenOptions } from '../../cli/flags/flag.ts';
import { UsageError } from '../../errors.ts';
import { wholeNumber } from '../../messages/choices.ts';
import { type Message, message } from '../../messages/message.ts';
import type { Preference } from '../../money/review/preference.ts';
import { phrasesOf } from '../../terminal/phrases/phrases.ts';
import { preferAttempts } from './prefer-attempts.ts';

export const handle: Handle = async (argv) => {
  const words = wordsOf(argv);
  const { dir, preferences, file, what } = readPlan(words, argv);
  const flags = givenOptions(argv, lookGroups);
  const given = readInvocation(flags, { out: dir });
  const { render, semicolon, ending } = phrasesOf(given.language);
  const say = (note: Message): void => printNotice(render(note));
  const { isInUse, invocation } = await preferAttempts(
    given,
    preferences,
    file === null ? null : { file, say },
  );
  if (isInUse) printResult([what, message('prefer.running')].map(render).join(semicolon));
  else {
    printResult(render(what));
    const command = `batch report ${invocation.words.run}`;
    printResult(`${ending.firstStep}${render(message('prefer.next', { command }))}`);
  }
  process.exitCode = 0;
};

interface PreferPlan {
  readonly dir: string;
  readonly preferences: readonly Preference[];
  /** The table that they are from; null where one was typed. */
  readonly file: string | null;
  readonly what: Message;
}

function readPlan(words: readonly string[], { attempt, latest, from }: Parameters<Handle>[0]): PreferPlan {
  if ([attempt !== undefined, latest === true, from !== undefined].filter(Boolean).length !== 1)
    throw new UsageError(message('refused.prefer-which'));
  if (from !== undefined) {
    if (typeof from !== 'string' || from.trim() === '') throw new UsageError(message('refused.from'));
    const [dir = './videos'] = words;
    if (words.length > 1) throw new UsageError(message('refused.prefer-words'));
    const preferences = readPreferences(from, `--from ${from}`);
    return {
      dir,
      preferences,
      file: from,
      what: message('prefer.of-file', { count: preferences.length }),
    };
  }
  const [first, second] = words;
  if (first === undefined || words.length > 2)
    throw new UsageError(message(first === undefined ? 'refused.prefer-row' : 'refused.prefer-row-words'));
  const [dir, id] = second === undefined ? ['./videos', first] : [first, second];
  const number = attempt === undefined ? null : readAttempt(attempt);
  const what =
    number === null ? message('prefer.latest', { id }) : message('prefer.attempt', { id, attempt: number });
  return { dir, preferences: [{ id, attempt: number }], file: null, what };
}

function readAttempt(written: unknown): number {
  const attempt = typeof written === 'string' && /^\d{1,9}$/.test(written) ? Number(written) : 0;
  if (attempt > 0) return attempt;
  throw invalidOption('--attempt', written, wholeNumber(1));
}
