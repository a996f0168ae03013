/**
 * Pure. How a sample is saved with the run, and how it travels from the page of `batch view --review` to its server.
 *
 * `PUT sample` takes a `SampleBody` as `application/json` and answers 204 once it is saved; 412 where another one was saved
 * meanwhile, which the next heading has; 400 for a body that is none, and 403, 405, 409, 413 and 415 as for marks.
 * The heading has the saved one in `sample`.
 */

import { mostKeys, type WatchSample } from './watch-sample.ts';

/** What `PUT` takes. */
export interface SampleBody {
  readonly sample: WatchSample;
  /** `at` of the sample that the page knows, which this one takes the place of; null where it knows none. */
  readonly instead: number | null;
}

/** The body of a `PUT`; null where it is none. */
export function parseSampleBody(text: string): SampleBody | null {
  const { sample, instead } = fieldsOf(parsed(text));
  const isWhole = isSample(sample) && (instead === null || isCount(instead));
  return isWhole ? { sample: plain(sample), instead } : null;
}

/** The sample saved as this text; null where it is none. */
export function readSample(text: string): WatchSample | null {
  const value = parsed(text);
  return isSample(value) ? plain(value) : null;
}

/**
 * False where another one was saved since the page learned of what it replaces. Two who let the same sample grow have the same
 * one, so the larger counts.
 */
export function mayReplace(saved: WatchSample | null, { sample, instead }: SampleBody): boolean {
  if ((saved?.at ?? null) !== instead) return false;
  return saved === null || saved.at !== sample.at || saved.size <= sample.size;
}

/** Without what does not belong to it. */
function plain({ seed, at, population, size, keys }: WatchSample): WatchSample {
  return { seed, at, population, size, keys };
}

function isSample(value: unknown): value is WatchSample {
  const { seed, at, population, size, keys } = fieldsOf(value);
  return (
    isCount(seed) &&
    isCount(at) &&
    isCount(population) &&
    isCount(size) &&
    Array.isArray(keys) &&
    keys.every(isCount) &&
    new Set(keys).size === keys.length &&
    size > 0 &&
    size <= keys.length &&
    keys.length <= Math.min(population, mostKeys)
  );
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : {};
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
