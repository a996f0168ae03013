/** `batch pause` and `batch continue`: submitting waits, polls and downloads continue. */

import { invalidOption } from '../../app/options/invalid-option.ts';
import type { Invocation } from '../../app/options/invocation.ts';
import type { RawOptions } from '../../app/options/options.ts';
import { readInvocation } from '../../app/options/settings.ts';
import type { Handle } from '../../cli/command.ts';
import { printResult } from '../../cli/console.ts';
import { lookGroups } from '../../cli/flags/common-flags.ts';
import { givenOptions } from '../../cli/flags/flag.ts';
import { pauseGroups } from '../../cli/flags/step-flags.ts';
import { UsageError } from '../../errors.ts';
import { message } from '../../messages/message.ts';
import { pauseAt } from '../../money/steering.ts';
import { renderPause } from '../../terminal/obstacle-text.ts';
import { phrasesOf } from '../../terminal/phrases/phrases.ts';
import { parseDurationMs } from '../../text/duration.ts';
import { printSending } from '../run/print-next.ts';
import { nextTimeOfDay, steerRun } from './steer-run.ts';

/** Pauses submitting until then (epoch ms), or until `batch continue`. */
export async function pause(invocation: Invocation, end: PauseEnd): Promise<void> {
  const say = phrasesOf(invocation.language);
  const { isInUse, after, now } = await steerRun(invocation, { options: {}, pause: end });
  const next = say.render(message(isInUse ? 'steering.running' : 'steering.next-waits'));
  printResult([renderPause(after.pause?.until ?? null, now, say), next].join(say.semicolon));
  printResult(`${say.ending.firstStep}batch continue ${invocation.words.run}`);
}

/** Ends the pause. */
export async function goOn(invocation: Invocation): Promise<void> {
  const { render } = phrasesOf(invocation.language);
  const { isInUse, before, now } = await steerRun(invocation, { options: {}, pause: null });
  if (pauseAt(before.pause, now) === null) printResult(render(message('steering.no-pause')));
  else if (isInUse) printResult(render(message('steering.goes-on')));
  else {
    printResult(render(message('steering.pause-ended')));
    await printSending(invocation);
  }
}

/** The end of the pause (epoch ms) of the time now; null for none. */
type PauseEnd = (now: number) => number | null;

/** A date cannot be later than some hundred thousand years, and nobody asks for more than this. */
const longestPauseMs = 876_000 * 3_600_000;

/** Throws `UsageError` for a time that cannot be one. */
function readEnd({ for: duration, until }: RawOptions): PauseEnd {
  if (duration !== undefined && until !== undefined) throw new UsageError(message('refused.pause-ends'));
  if (duration !== undefined) {
    const ms = parseDurationMs(String(duration));
    if (ms === null || ms < 1 || ms > longestPauseMs)
      throw invalidOption('--for', duration, {
        en: 'a time such as 2h: 30s, 5m, 2h, up to 876000h (100 years)',
        zh: '时长，例如 2h：30s、5m、2h，最长 876000h（100 年）',
      });
    return (now) => now + ms;
  }
  if (until === undefined) return () => null;
  const end: PauseEnd = (now) => nextTimeOfDay(String(until), now);
  if (end(0) === null)
    throw invalidOption('--until', until, {
      en: 'a time of day such as 22:00',
      zh: '一天中的时刻，例如 22:00',
    });
  return end;
}

export const handlePause: Handle = async (argv) => {
  const { for: duration, until, ...flags } = givenOptions(argv, pauseGroups);
  const end = readEnd({ for: duration, until });
  await pause(readInvocation(flags, { out: String(argv.dir) }), end);
  process.exitCode = 0;
};

export const handleContinue: Handle = async (argv) => {
  await goOn(readInvocation(givenOptions(argv, lookGroups), { out: String(argv.dir) }));
  process.exitCode = 0;
};
