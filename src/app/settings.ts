/** Merges flags, environment, `.env`, job file and saved options into one validated set, in that order of precedence. */

import { readFileSync } from 'node:fs';
import { dirname, isAbsolute, relative, resolve } from 'node:path';
import { defaultPolicy, type Policy, simulatedPollIntervalMs } from '../core/policy.ts';
import { UsageError } from '../errors.ts';
import type { SimulatorOptions } from '../simulator/service.ts';
import { type Environment, processEnvironment, readEnvironment } from './environment.ts';
import { parseOptions, readJobFile } from './job-file.ts';
import { type NamedRow, readOnly } from './only-file.ts';
import { longNamesWhere, type Options, type RawOptions } from './options.ts';

/** Options saved with the run. */
const savedNames = longNamesWhere(({ reach }) => reach === 'run');

/** The request of a command line or program, before the saved options are known. */
export interface Invocation {
  /** Validated, without saved options. */
  readonly options: Options;
  /** The rows that `--only` names; null without it. */
  readonly named: readonly NamedRow[] | null;
  /** The options from flags alone. */
  readonly flags: Options;
  /** To be saved with the run. */
  readonly raw: RawOptions;
  /** Environment over `.env`. */
  readonly env: Environment;
  /** The output folder as an absolute path, and as the user named it. */
  readonly out: string;
  readonly outShown: string;
  /** True when the command line names the key's file, which then takes precedence over the environment. */
  readonly isKeyFileGiven: boolean;
  /** The key given by a program; takes precedence over all others and is never saved. */
  readonly apiKey: string | null;
}

/** The sources of an invocation besides its flags. */
export interface InvocationSources {
  /** Path of a job file. */
  readonly job?: string;
  /** The folder of a command that takes it as an argument. */
  readonly out?: string;
  /** The key itself. */
  readonly apiKey?: string;
  /** False to ignore `.env`. */
  readonly dotEnv?: boolean;
}

/** Reads flags, environment and job file. */
export function readInvocation(flags: RawOptions, more: InvocationSources): Invocation {
  const fromFlags = parseOptions(flags, (name) => `--${name}`);
  const job = more.job === undefined ? null : readJobFile(resolve(more.job));
  const env = more.dotEnv === false ? processEnvironment() : readEnvironment(more.job);
  const fromEnv = env.BATCH_BASE_URL ? { 'base-url': env.BATCH_BASE_URL } : {};
  parseOptions(fromEnv, () => 'BATCH_BASE_URL');
  const flagsOnly = Object.fromEntries(Object.entries(flags).filter(([, value]) => value !== undefined));
  const raw = { ...job?.raw, ...fromEnv, ...flagsOnly };
  const folder = fromFlags.only === undefined && more.job !== undefined ? dirname(resolve(more.job)) : '.';
  const parsed = parseOptions(raw, (name) => `--${name}`);
  // `@FILE` paths are relative to where `--only` was written: the job's folder or the working folder.
  const named = parsed.only === undefined ? null : readOnly(parsed.only, folder);
  const options = named === null ? parsed : { ...parsed, only: named.map(({ id }) => id) };
  const outShown = more.out ?? fromFlags.out ?? shownPath(options.out ?? './videos');
  return {
    options,
    named,
    flags: fromFlags,
    raw,
    env,
    out: resolve(outShown),
    outShown,
    isKeyFileGiven: fromFlags['api-key-file'] !== undefined,
    apiKey: more.apiKey ?? null,
  };
}

/** A job file's path as the user would type it: relative if it is below the working folder. */
function shownPath(path: string): string {
  const here = relative('.', path);
  return isAbsolute(path) && !here.startsWith('..') && !isAbsolute(here) ? `./${here}` : path;
}

/** Merges the options over those saved with the run. */
export function withSaved(invocation: Invocation, saved: RawOptions): Options {
  return { ...parseOptions(saved, (name) => `saved option "${name}"`), ...invocation.options };
}

/** Refuses a wildcard address, which nothing can call, before it is saved: else each later run would fail on it. */
export function refuseUncallable({ listen, 'public-url': publicUrl }: Options): void {
  if (listen === undefined || publicUrl !== undefined || !/^[0.:]+$/.test(listen.host)) return;
  throw new UsageError(
    `--listen ${listen.host}:${listen.port}: the service cannot call that address; give --public-url URL`,
  );
}

/** The options to save with the run: the current ones over those saved before. */
export function optionsToSave(invocation: Invocation, saved: RawOptions): RawOptions {
  const lasting = Object.entries(invocation.raw).filter(([name]) => savedNames.has(name));
  const keyFile = invocation.options['api-key-file'];
  // A resume may start in another folder.
  const absolute = keyFile === undefined ? {} : { 'api-key-file': resolve(keyFile) };
  return { ...saved, ...Object.fromEntries(lasting), ...absolute };
}

/** The largest image to send. */
export function maxImageBytesOf(options: Options): number {
  return options['max-image-bytes'] ?? defaultPolicy.maxImageBytes;
}

/** The policy of a run over `rows` rows. */
export function policyOf(options: Options, rows: number): Policy {
  const { halt } = options;
  return {
    concurrency: options.concurrency ?? defaultPolicy.concurrency,
    pollIntervalMs:
      options['poll-interval'] ?? (options.simulate ? simulatedPollIntervalMs : defaultPolicy.pollIntervalMs),
    quality: options.quality ?? defaultPolicy.quality,
    frames: options.frames ?? defaultPolicy.frames,
    taskTimeoutMs: options['task-timeout'] ?? defaultPolicy.taskTimeoutMs,
    requestTimeoutMs: options['request-timeout'] ?? defaultPolicy.requestTimeoutMs,
    outageTimeoutMs: options['outage-timeout'] ?? defaultPolicy.outageTimeoutMs,
    maxPoints: options['max-points'] ?? defaultPolicy.maxPoints,
    haltAfter:
      halt === undefined
        ? null
        : halt.isPercent
          ? Math.max(1, Math.ceil((rows * halt.amount) / 100))
          : halt.amount,
    limit: options.limit ?? defaultPolicy.limit,
    maxImageBytes: maxImageBytesOf(options),
  };
}

/** The default key of the embedded service; it protects nothing. */
export const simulatedKey = 'simulated-key';

/** The behaviour of the embedded service. */
export function simulationOf(
  options: Options,
): Pick<SimulatorOptions, 'durationMs' | 'failRate' | 'faults' | 'seed'> {
  return {
    durationMs: options.duration ?? 3_000,
    failRate: options['fail-rate'] ?? 0,
    faults: options.fault ?? new Map(),
    seed: options.seed ?? 1,
  };
}

/** The sources of a key besides the options. */
type KeySources = Pick<Invocation, 'apiKey' | 'env' | 'isKeyFileGiven'>;

/** Address and key of the real service. Throws `UsageError` when one is missing. */
export function serviceOf(
  invocation: KeySources,
  options: Options,
): { readonly baseUrl: string; readonly apiKey: string } {
  const baseUrl = options['base-url'];
  if (baseUrl === undefined) {
    throw new UsageError(
      'no service address: give --base-url URL or set BATCH_BASE_URL, or rehearse with --simulate',
    );
  }
  return { baseUrl: baseUrl.replace(/\/+$/, ''), apiKey: readKey(invocation, options) };
}

function readKey(invocation: KeySources, options: Options): string {
  if (invocation.apiKey !== null) return checkedKey(invocation.apiKey, 'the API key');
  const file = options['api-key-file'];
  const inEnvironment = invocation.env.BATCH_API_KEY;
  if (file !== undefined && (invocation.isKeyFileGiven || inEnvironment === undefined)) {
    return checkedKey(readKeyFile(file), `the key file ${file}`);
  }
  if (inEnvironment === undefined) {
    throw new UsageError('no API key: set BATCH_API_KEY, or give --api-key-file FILE');
  }
  return checkedKey(inEnvironment, 'BATCH_API_KEY');
}

function readKeyFile(file: string): string {
  try {
    return readFileSync(file, 'utf8').replace(/^\uFEFF/, '');
  } catch (error) {
    throw new UsageError(
      `the key file ${file} cannot be read; give a readable file with --api-key-file`,
      error,
    );
  }
}

/** A key is sent in a header, so it must be one word of visible ASCII. */
function checkedKey(text: string, place: string): string {
  const key = text.trim();
  if (key === '') throw new UsageError(`${place} is empty; put the API key there`);
  if (!/^[\x21-\x7e]+$/.test(key)) {
    throw new UsageError(
      `${place} is not an API key: it contains spaces, line breaks or characters outside ASCII`,
    );
  }
  return key;
}
