/** Merges flags, environment, `.env`, job file and saved options into one validated set, in that order of precedence. */

import { realpathSync } from 'node:fs';
import { dirname, isAbsolute, relative, resolve } from 'node:path';
import { codeOf, UsageError } from '../../errors.ts';
import type { Words } from '../../messages/both.ts';
import { message } from '../../messages/message.ts';
import { defaultPolicy, type Policy, simulatedPollIntervalMs } from '../../money/policy.ts';
import type { SimulatorOptions } from '../../service/simulator/service.ts';
import { folderWords, sharedWords } from '../../text/run-words.ts';
import { isBucketAddress } from '../files/bucket-address.ts';
import { namedRows, readNaming, undisputed } from '../naming/only-file.ts';
import {
  type Environment,
  localeLanguage,
  type Origin,
  originOf,
  processEnvironment,
  type ReadEnvironment,
  readEnvironment,
} from './environment.ts';
import { type Invocation, Patience, type SharedPlace } from './invocation.ts';
import { parseOptions, readJobFile } from './job-file.ts';
import { longNamesWhere, type Options, type RawOptions } from './options.ts';
import { isBelow, savedPaths } from './saved-paths.ts';
import { readTextFile, TooLongError } from './text-file.ts';

/** Options saved with the run. */
const savedNames = longNamesWhere(({ reach }) => reach === 'run');

/** The sources of an invocation besides its flags. */
export interface InvocationSources {
  /** Path of a job file. */
  readonly job?: string;
  /** The folder of a command that takes it as an argument. */
  readonly out?: string;
  /** The key itself. */
  readonly apiKey?: string;
  /** Which rows of tables of marks `--only` means; the bad ones by default. */
  readonly mark?: 'good' | 'bad';
  /** False to ignore `.env`. */
  readonly dotEnv?: boolean;
  /** When it began (steady ms); by default with the process. */
  readonly begunAt?: number;
}

/** Reads flags, environment and job file. */
export function readInvocation(flags: RawOptions, more: InvocationSources): Invocation {
  const fromFlags = parseOptions(flags, (name) => `--${name}`);
  const jobFile = more.job === undefined ? null : resolve(more.job);
  const job = jobFile === null ? null : readJobFile(jobFile);
  const environment =
    more.dotEnv === false ? { env: processEnvironment(), file: null } : readEnvironment(more.job);
  const { env } = environment;
  const fromEnv = optionsFrom(env);
  const flagsOnly = Object.fromEntries(Object.entries(flags).filter(([, value]) => value !== undefined));
  const raw = { ...job?.raw, ...fromEnv, ...flagsOnly };
  const folder = fromFlags.only === undefined && more.job !== undefined ? dirname(resolve(more.job)) : '.';
  const parsed = parseOptions(raw, (name) => `--${name}`);
  // `@FILE` paths are relative to where `--only` was written: the job's folder or the working folder.
  const naming = parsed.only === undefined ? null : readNaming(parsed.only, folder, more.mark);
  const named = naming === null ? null : namedRows(naming);
  const options = named === null ? parsed : { ...parsed, only: undisputed(named) };
  if (options.sample !== undefined && (options.limit !== undefined || options.only !== undefined))
    throw new UsageError(message('option.sample-alone'));
  const shared = sharedPlace(options, env, more.begunAt ?? 0);
  const outGiven = more.out ?? fromFlags.out;
  const outShown = outGiven ?? shownOut(options.out ?? './videos');
  return {
    options,
    naming,
    named,
    flags: fromFlags,
    raw,
    env,
    out: isBucketAddress(outShown) ? outShown : resolve(outShown),
    outShown,
    language: options.lang ?? localeLanguage(),
    shared,
    isOutGiven: options.out !== undefined,
    isKeyFileGiven: fromFlags['api-key-file'] !== undefined,
    ...originsOf(fromFlags, environment, { jobFile, job: job?.options ?? {} }),
    ...(shared === null
      ? { words: folderWords(outShown, options.store === noStore), storeFrom: null }
      : { words: sharedWords(shared.run, options.store ?? null) }),
    apiKey: more.apiKey ?? null,
  };
}

/** Where address, store and key are from. */
function originsOf(
  flags: Options,
  environment: ReadEnvironment,
  { jobFile, job }: { readonly jobFile: string | null; readonly job: Options },
): Pick<Invocation, 'addressFrom' | 'storeFrom' | 'keyFrom'> {
  const from = (name: 'base-url' | 'store', variable: string): Origin | null => {
    if (flags[name] !== undefined) return 'user';
    const inJob = jobFile === null || job[name] === undefined ? null : { file: jobFile };
    return originOf(variable, environment) ?? inJob;
  };
  // The environment stands above a key file that the job names; one next to the job came with it.
  const keyFile = job['api-key-file'];
  const cameWithJob = jobFile !== null && keyFile !== undefined && isIn(dirname(jobFile), keyFile);
  const ofJob = cameWithJob && flags['api-key-file'] === undefined ? { file: jobFile } : 'user';
  const ofKey = flags['api-key-file'] === undefined ? originOf('BATCH_API_KEY', environment) : null;
  return {
    addressFrom: from('base-url', 'BATCH_BASE_URL'),
    storeFrom: from('store', 'BATCH_STORE'),
    keyFrom: ofKey ?? ofJob,
  };
}

/** True for a file in the folder or below, whatever links lead there. */
function isIn(folder: string, file: string): boolean {
  try {
    return isBelow(relative(realpathSync(folder), realpathSync(file)));
  } catch {
    return false;
  }
}

/** Options that a variable may give, by long name. */
const variables: RawOptions = { 'base-url': 'BATCH_BASE_URL', ping: 'BATCH_PING' };

function optionsFrom(env: Environment): RawOptions {
  const named = Object.entries(variables).map(([name, variable]) => [
    name,
    env[String(variable)] || undefined,
  ]);
  const raw = Object.fromEntries(named.filter(([, value]) => value !== undefined));
  parseOptions(raw, (name) => String(variables[name]));
  return raw;
}

/** Null where no store is named. Throws `UsageError` where the name of the run is missing. */
function sharedPlace(options: Options, env: Environment, begunAt: number): SharedPlace | null {
  const url = options.store === noStore ? '' : (options.store ?? env.BATCH_STORE ?? '');
  // The variable alone may be there for other runs: one in a folder may be looked at.
  if ((options.store ?? noStore) === noStore && options.run === undefined) return null;
  if (url === '') throw new UsageError(message('refused.run-without-store'));
  if (options.run === undefined) throw new UsageError(message('refused.store-without-run'));
  refuseUnshared(options);
  return {
    url,
    run: options.run,
    endpoint: env.AWS_ENDPOINT_URL_S3 || env.AWS_ENDPOINT_URL || null,
    begunAt,
    patience: new Patience(),
  };
}

/** In place of an address: the run is in a folder, whatever the environment says. */
const noStore = 'none';

/** The store that the environment names, where nobody says which run or none; null where there is no such doubt. */
export function unsaidStore({
  shared,
  options,
  env,
}: Pick<Invocation, 'shared' | 'options' | 'env'>): string | null {
  return shared !== null || options.store === noStore || options.simulate ? null : env.BATCH_STORE || null;
}

/** Options that a run on several machines does not have. They are refused before they are saved with it. */
function refuseUnshared({ simulate, listen, reuse }: Options): void {
  if (simulate) throw new UsageError(message('refused.shared-rehearsal'));
  if (listen !== undefined) throw new UsageError(message('refused.shared-listen'));
  if (reuse !== undefined) throw new UsageError(message('refused.shared-reuse'));
}

/** A job file's path as the user would type it: relative if it is below the working folder. */
function shownOut(path: string): string {
  if (isBucketAddress(path)) return path;
  const here = relative('.', path);
  return isAbsolute(path) && isBelow(here) ? `./${here}` : path;
}

/** Merges the options over those saved with the run. */
export function withSaved(invocation: Pick<Invocation, 'options'>, saved: RawOptions): Options {
  return { ...parseOptions(saved, (name) => `saved option "${name}"`), ...invocation.options };
}

/** Refuses a wildcard address, which nothing can call, before it is saved: else each later run would fail on it. */
export function refuseUncallable({ listen, 'public-url': publicUrl }: Options): void {
  if (listen === undefined || publicUrl !== undefined || !/^[0.:]+$/.test(listen.host)) return;
  throw new UsageError(message('refused.uncallable', { host: listen.host, port: listen.port }));
}

/** The options to save with the run: the current ones over those saved before. */
export function optionsToSave(invocation: Invocation, saved: RawOptions): RawOptions {
  const lasting = Object.entries(invocation.raw).filter(([name]) => savedNames.has(name));
  // A limit is for one command, unless it was tuned; `none` removes that one, too.
  const limit = invocation.options.limit === null ? { limit: 'none' } : {};
  return { ...saved, ...Object.fromEntries(lasting), ...savedPaths(invocation, saved), ...limit };
}

/** The largest image to send. */
export function maxImageBytesOf(options: Options): number {
  return options['max-image-bytes'] ?? defaultPolicy.maxImageBytes;
}

/** The policy of a run over `rows` rows. */
export function policyOf(options: Options, rows: number): Policy {
  const { halt } = options;
  return {
    concurrency: options.concurrency?.most ?? defaultPolicy.concurrency,
    searchFrom: options.concurrency?.from ?? defaultPolicy.searchFrom,
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
  if (baseUrl === undefined)
    throw new UsageError(
      message(isKeyNamed(invocation, options) ? 'key.no-address' : 'key.no-address-and-key'),
    );
  return { baseUrl: baseUrl.replace(/\/+$/, ''), apiKey: readKey(invocation, options) };
}

/** True where a key is given, or the place of one; there may be none in it. */
function isKeyNamed({ apiKey, env }: KeySources, options: Options): boolean {
  return apiKey !== null || options['api-key-file'] !== undefined || env.BATCH_API_KEY !== undefined;
}

/** Refuses a key file that no run could use, for commands that need no key. */
export function refuseBadKeyFile(invocation: KeySources, options: Options): void {
  if (invocation.isKeyFileGiven && !options.simulate) readKey(invocation, options);
}

/** Throws `UsageError` where there is none. */
export function readKey(invocation: KeySources, options: Options): string {
  if (invocation.apiKey !== null) return checkedKey(invocation.apiKey, { en: 'the API key', zh: 'API 密钥' });
  const file = options['api-key-file'];
  const inEnvironment = invocation.env.BATCH_API_KEY;
  if (file !== undefined && (invocation.isKeyFileGiven || inEnvironment === undefined)) {
    return checkedKey(readKeyFile(file), { en: `the key file ${file}`, zh: `密钥文件 ${file}` });
  }
  if (inEnvironment === undefined) {
    throw new UsageError(message('key.missing'));
  }
  return checkedKey(inEnvironment, { en: 'BATCH_API_KEY', zh: 'BATCH_API_KEY' });
}

/** A key is one word. */
const mostKeyBytes = 64_000;

function readKeyFile(file: string): string {
  try {
    return readTextFile(file, mostKeyBytes);
  } catch (error) {
    if (error instanceof TooLongError)
      throw new UsageError(message('key.too-long', { path: file, most: error.most }), error);
    if (codeOf(error) === 'EISDIR') throw new UsageError(message('key.folder', { path: file }), error);
    throw new UsageError(message('key.unreadable', { path: file }), error);
  }
}

/** A key is sent in a header, so it must be one word of visible ASCII. */
function checkedKey(text: string, place: Words): string {
  const key = text.trim();
  if (key === '') throw new UsageError(message('key.empty', { what: place }));
  if (!/^[\x21-\x7e]+$/.test(key)) {
    throw new UsageError(message('key.no-key', { what: place }));
  }
  if (/^(["'`]).*\1$/.test(key)) throw new UsageError(message('key.quoted', { what: place }));
  return key;
}
