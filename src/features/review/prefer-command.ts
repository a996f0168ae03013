/** `batch prefer`: chooses which attempt's video stands for a row, also while the run goes. */

import { invalidOption } from '../../app/options/invalid-option.ts';
import { readInvocation } from '../../app/options/settings.ts';
import { type Handle, wordsOf } from '../../cli/command.ts';
import { printNotice, printResult } from '../../cli/console.ts';
import { givenOptions, lookGroups } from '../../cli/flags.ts';
import { UsageError } from '../../errors.ts';
import { wholeNumber } from '../../messages/choices.ts';
import type { Message } from '../../messages/message.ts';
import { renderRows } from '../../messages/numbers.ts';
import { phrasesOf } from '../../terminal/phrases/phrases.ts';
import { preferAttempts } from './prefer-attempts.ts';
import type { Preference } from './preference.ts';
import { readPreferences } from './read-marks.ts';

const usage = '`batch prefer [DIR] ID --attempt N`';

export const handle: Handle = async (argv) => {
  const words = wordsOf(argv);
  const { dir, preferences, file, what } = readPlan(words, argv);
  const flags = givenOptions(argv, lookGroups);
  const given = readInvocation(flags, { out: dir });
  const { told } = phrasesOf(given.language);
  const say = (note: Message): void => printNotice(told(note));
  const { isHeld, invocation } = await preferAttempts(
    given,
    preferences,
    file === null ? null : { file, say },
  );
  if (isHeld) printResult(`${what}; the run writes its reports with it within a minute`);
  else {
    printResult(what);
    printResult(`Next: batch report ${invocation.words.run}   writes the reports with it`);
  }
  process.exitCode = 0;
};

interface PreferPlan {
  readonly dir: string;
  readonly preferences: readonly Preference[];
  /** The table that they are from; null where one was typed. */
  readonly file: string | null;
  readonly what: string;
}

function readPlan(words: readonly string[], { attempt, latest, from }: Parameters<Handle>[0]): PreferPlan {
  if ([attempt !== undefined, latest === true, from !== undefined].filter(Boolean).length !== 1)
    throw new UsageError('which video? Give one of --attempt N, --latest and --from FILE');
  if (from !== undefined) {
    if (typeof from !== 'string' || from.trim() === '')
      throw new UsageError('--from is empty or was given twice; give one CSV file');
    const [dir = './videos'] = words;
    if (words.length > 1) throw new UsageError('too many words; use `batch prefer [DIR] --from FILE`');
    const preferences = readPreferences(from, `--from ${from}`);
    return {
      dir,
      preferences,
      file: from,
      what: `${renderRows(preferences.length)} have the videos of the file`,
    };
  }
  const [first, second] = words;
  if (first === undefined || words.length > 2)
    throw new UsageError(`${first === undefined ? 'which row?' : 'too many words;'} Use ${usage}`);
  const [dir, id] = second === undefined ? ['./videos', first] : [first, second];
  const number = attempt === undefined ? null : readAttempt(attempt);
  const which = number === null ? 'its latest video' : `the video of attempt ${number}`;
  return { dir, preferences: [{ id, attempt: number }], file: null, what: `row ${id} has ${which}` };
}

function readAttempt(written: unknown): number {
  const attempt = typeof written === 'string' && /^\d{1,9}$/.test(written) ? Number(written) : 0;
  if (attempt > 0) return attempt;
  throw invalidOption('--attempt', written, wholeNumber(1));
}
