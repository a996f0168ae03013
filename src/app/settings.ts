/** From flags, environment, `.env`, job file and saved options to one validated set, in that order of precedence. */

import { readFileSync } from 'node:fs';
import { dirname, isAbsolute, relative, resolve } from 'node:path';
import { defaultPolicy, type Policy, simulatedPollIntervalMs } from '../core/policy.ts';
import { UsageError } from '../errors.ts';
import type { SimulatorOptions } from '../simulator/service.ts';
import { type Environment, processEnvironment, readEnvironment } from './environment.ts';
import { parseOptions, readJobFile } from './job-file.ts';
import { type NamedRow, readOnly } from './only-file.ts';
import { longNamesWhere, type Options, type RawOptions } from './options.ts';

/** Options that are saved with the run. */
const savedNames = longNamesWhere(({ reach }) => reach === 'run');

/** What a command line, or a program, asked for, before the saved options are known. */
export interface Invocation {
  /** Validated, saved options not included. */
  readonly options: Options;
  /** The rows that `--only` names; null without it. */
  readonly named: readonly NamedRow[] | null;
  /** What the flags alone said. */
  readonly flags: Options;
  /** To be saved with the run. */
  readonly raw: RawOptions;
  /** Environment over `.env`. */
  readonly env: Environment;
  /** Absolute output folder, and as the user named it. */
  readonly out: string;
  readonly outShown: string;
  /** True when the key's file was named on the command line: it wins over the environment. */
  readonly isKeyFileGiven: boolean;
  /** The key itself, where a program gave it; wins over all others and is saved nowhere. */
  readonly apiKey: string | null;
}

/** Where an invocation comes from, beside its flags. */
export interface InvocationSources {
  /** Path of a job file. */
  readonly job?: string;
  /** The folder of a command that takes it as an argument. */
  readonly out?: string;
  /** The key itself. */
  readonly apiKey?: string;
  /** False where `.env` is not to be read. */
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
  // Paths of its files start from where it was written.
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

/** A job file's path as one would type it here: relative where it lies below the working folder. */
function shownPath(path: string): string {
  const here = relative('.', path);
  return isAbsolute(path) && !here.startsWith('..') && !isAbsolute(here) ? `./${here}` : path;
}

/** The options with those saved with the run below them. */
export function withSaved(invocation: Invocation, saved: RawOptions): Options {
  return { ...parseOptions(saved, (name) => `saved option "${name}"`), ...invocation.options };
}

/** Nobody can call "every address of this machine". Told before anything is saved, or each later run would end here. */
export function refuseUncallable({ listen, 'public-url': publicUrl }: Options): void {
  if (listen === undefined || publicUrl !== undefined || !/^[0.:]+$/.test(listen.host)) return;
  throw new UsageError(
    `--listen ${listen.host}:${listen.port}: the service cannot call that address; give --public-url URL`,
  );
}

/** What is saved with the run: what was saved before, and over it what was given now. */
export function optionsToSave(invocation: Invocation, saved: RawOptions): RawOptions {
  const lasting = Object.entries(invocation.raw).filter(([name]) => savedNames.has(name));
  const keyFile = invocation.options['api-key-file'];
  // A resume may start in another folder.
  const absolute = keyFile === undefined ? {} : { 'api-key-file': resolve(keyFile) };
  return { ...saved, ...Object.fromEntries(lasting), ...absolute };
}

/** The largest image that is sent. */
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

/** The key of the embedded service where none was chosen: it guards nothing. */
export const simulatedKey = 'simulated-key';

/** How the embedded service is to behave. */
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

/** Where a key may come from, beside the options. */
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

/** A key goes into a header line: one word of visible ASCII. */
function checkedKey(text: string, place: string): string {
  const key = text.trim();
  if (key === '') throw new UsageError(`${place} is empty; put the API key there`);
  if (!/^[\x21-\x7e]+$/.test(key)) {
    throw new UsageError(`${place} does not hold one key: it has spaces, line breaks or other letters in it`);
  }
  return key;
}
