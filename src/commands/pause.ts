/** `batch pause` and `batch continue`: submitting waits, polls and downloads go on. */

import { systemClock } from '../adapters/system-clock.ts';
import type { RawOptions } from '../app/options.ts';
import { type Invocation, readInvocation } from '../app/settings.ts';
import { nextTimeOfDay, steerRun } from '../app/steer-run.ts';
import { pauseAt } from '../core/steering.ts';
import { parseDurationMs } from '../core/text/duration.ts';
import { UsageError } from '../errors.ts';
import { renderPause } from '../terminal/hold-text.ts';
import { phrasesOf } from '../terminal/phrases/phrases.ts';
import type { Handle } from './command.ts';
import { printResult } from './console.ts';
import { givenOptions, lookGroups, pauseGroups } from './flags.ts';
import { printSending } from './print-next.ts';

/** Pauses submitting until then (epoch ms), or until `batch continue`. */
export async function pause(invocation: Invocation, until: number | null): Promise<void> {
  const say = phrasesOf(invocation.language);
  const { isHeld } = await steerRun(invocation, { options: {}, pause: { until } });
  const now = isHeld
    ? 'the run goes by it within two seconds'
    : 'no process works on the run; the next one waits';
  printResult([renderPause(until, systemClock.now(), say), say.told(now)].join(say.semicolon));
  printResult(`${say.ending.firstStep}batch continue ${invocation.words.run}`);
}

/** Ends the pause. */
export async function goOn(invocation: Invocation): Promise<void> {
  const { told } = phrasesOf(invocation.language);
  const { isHeld, before } = await steerRun(invocation, { options: {}, pause: null });
  if (pauseAt(before.pause, systemClock.now()) === null)
    printResult(told('there was no pause; nothing was changed'));
  else if (isHeld) printResult(told('submitting goes on within two seconds'));
  else {
    printResult(told('the pause has ended, but no process works on the run'));
    await printSending(invocation);
  }
}

/** The end of the pause (epoch ms); null for none. Throws `UsageError` for a time that cannot be one. */
function readUntil({ for: duration, until }: RawOptions): number | null {
  if (duration !== undefined && until !== undefined)
    throw new UsageError('--for and --until name two ends of the pause; use one of them');
  if (duration !== undefined) {
    const ms = parseDurationMs(String(duration));
    if (ms === null || ms < 1 || !Number.isSafeInteger(ms))
      throw new UsageError(`--for: "${duration}" is not valid; use a time such as 2h: 30s, 5m, 2h`);
    return systemClock.now() + ms;
  }
  if (until === undefined) return null;
  const at = nextTimeOfDay(String(until));
  if (at === null) throw new UsageError(`--until: "${until}" is not valid; use a time of day such as 22:00`);
  return at;
}

export const handlePause: Handle = async (argv) => {
  const { for: duration, until, ...flags } = givenOptions(argv, pauseGroups);
  const end = readUntil({ for: duration, until });
  await pause(readInvocation(flags, { out: String(argv.dir) }), end);
  process.exitCode = 0;
};

export const handleContinue: Handle = async (argv) => {
  await goOn(readInvocation(givenOptions(argv, lookGroups), { out: String(argv.dir) }));
  process.exitCode = 0;
};
