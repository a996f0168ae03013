/** Converts the options of a program to those of the commands. */

import { goneError } from '../app/options/gone.ts';
import type { Invocation } from '../app/options/invocation.ts';
import { parseOptions } from '../app/options/job-file.ts';
import { longName, type OptionName, optionNames, optionOf } from '../app/options/options.ts';
import { readInvocation } from '../app/options/settings.ts';
import { systemClock } from '../app/system-clock.ts';
import { UsageError } from '../errors.ts';
import { didYouMean } from '../text/near-word.ts';
import type { ResumeOptions } from './options.ts';

/** Options a program may give; `only` is read separately. */
const programNames = optionNames.filter((name) => optionOf(name).program !== undefined && name !== 'only');

/**
 * Options of a program, converted for the commands. Throws `UsageError`, which names the option as the program does.
 */
export function readProgramOptions(options: ResumeOptions): Invocation {
  if (!isObject(options))
    throw new UsageError('the options must be an object, such as { out, simulate: true }');
  const { apiKey, only, signal, ...others } = options;
  if (signal !== undefined && signalOf(options) === undefined)
    throw new UsageError('signal: use the signal of an AbortController');
  // The wrong value may still be a key, so it is not shown.
  if (apiKey !== undefined && typeof apiKey !== 'string') throw new UsageError('apiKey: use the key as text');
  const invocation = Object.entries(others).filter(([, value]) => value !== undefined);
  for (const [name, value] of invocation) {
    if (!isProgramName(name))
      throw (
        goneError(`--${longName(name as OptionName)}`, name) ??
        new UsageError(
          `${name} is not an option${didYouMean(name, [...programNames, 'only', 'apiKey', 'signal'])}`,
        )
      );
    if (optionOf(name).kind === 'duration' && isBareNumber(value))
      throw new UsageError(`${name}: use a time with its unit, such as '30s' or '500ms'`);
  }
  const raw = Object.fromEntries(invocation.map(([name, value]) => [longName(name as OptionName), value]));
  parseOptions(raw, (long) => nameOf(long));
  const begunAt = systemClock.steady();
  const read = readInvocation(raw, { dotEnv: false, begunAt, ...(apiKey === undefined ? {} : { apiKey }) });
  return only === undefined ? read : { ...read, options: { ...read.options, only: exactIds(only) } };
}

/** The signal among the options, if it is valid. */
export function signalOf(options: unknown): AbortSignal | undefined {
  const signal = isObject(options) && 'signal' in options ? options.signal : undefined;
  return signal instanceof AbortSignal ? signal : undefined;
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

function isBareNumber(value: unknown): boolean {
  return typeof value === 'number' || (typeof value === 'string' && /^[\s\d.]+$/.test(value));
}

/** A program gives exact ids: a comma or an `@` in an id has no special meaning. */
function exactIds(only: unknown): string[] {
  if (Array.isArray(only) && only.length > 0 && only.every((id) => typeof id === 'string')) return only;
  throw new UsageError('only: use a list of ids');
}

function isProgramName(name: string): name is OptionName {
  return (programNames as readonly string[]).includes(name);
}

function nameOf(long: string): string {
  return programNames.find((name) => longName(name) === long) ?? long;
}
