/**
 * The first line of a slow command, printed before its code is loaded, so that the user sees a response at once. A usage
 * error is one line and no more, so this prints nothing if the command may still be refused.
 */

import { closeSync, existsSync, openSync, readdirSync, readSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { type Environment, localeLanguage, readEnvironment } from '../app/options/environment.ts';
import { parseOptions, readJobFile } from '../app/options/job-file.ts';
import { longName, type Options, optionNames } from '../app/options/options.ts';
import { serviceOf } from '../app/options/settings.ts';
import { shownName, standardInput } from '../app/options/standard-input.ts';
import { seemsToHoldRun } from '../app/store-glance.ts';
import { type Phrases, phrasesOf } from '../terminal/phrases/phrases.ts';
import type { Command } from './command.ts';

type Words = Readonly<Record<string, unknown>>;

/** `Reading questions.csv`, `Opening ./videos`, in the user's language; null for a fast command, or if it may fail. */
export function firstLine({ name }: Command, argv: Words): string | null {
  try {
    if (name === 'run' || name === 'check') return lineOfFile(name, argv);
    return slowFolderCommands.has(name) ? lineOfFolder(name, argv) : null;
  } catch {
    // The command reports the error.
    return null;
  }
}

const slowFolderCommands: ReadonlySet<string> = new Set([
  'resume',
  'collect',
  'retry',
  'verify',
  'report',
  'export',
]);

function lineOfFile(name: string, argv: Words): string | null {
  const given = readGiven(argv);
  const { options } = given;
  const { out = './videos' } = options;
  const named = argv.file ?? options.input;
  const file = named === '-' ? standardInput : named;
  const asksService = argv.online === true || (name === 'run' && !options['dry-run']);
  const isKeyLeft = !asksService && given.flags['api-key-file'] !== undefined;
  const isSure =
    typeof file === 'string' &&
    !isDoubtful(options) &&
    !isKeyLeft &&
    (file === standardInput || isFilled(file)) &&
    (seemsToHoldRun(out) || isFree(out)) &&
    (!asksService || isServiceKnown(given, out));
  return isSure ? sayOf(options).reading(shownName(file)) : null;
}

function lineOfFolder(name: string, argv: Words): string | null {
  const given = readGiven(argv);
  const out = String(argv.dir);
  const asksService = name !== 'report' && name !== 'export' && (name !== 'verify' || argv.fix === true);
  const isSure =
    !isDoubtful(given.options) &&
    seemsToHoldRun(out) &&
    (name !== 'retry' || argv.failed === true || argv.rejected === true || argv.lost === true) &&
    (!asksService || isServiceKnown(given, out));
  return isSure ? sayOf(given.options).opening(out) : null;
}

function sayOf({ lang }: Options): Phrases['plan'] {
  return phrasesOf(lang ?? localeLanguage()).plan;
}

/** The given options, without those saved with the run. */
interface Given {
  readonly flags: Options;
  /** The flags over the environment over the job file. */
  readonly options: Options;
  readonly env: Environment;
}

/** Throws when anything is invalid. */
function readGiven(argv: Words): Given {
  const { job } = argv;
  const names = optionNames.map(longName);
  const flags = parseOptions(Object.fromEntries(names.map((name) => [name, argv[name]])), (name) => name);
  const env = readEnvironment(typeof job === 'string' ? job : undefined);
  const fromEnv = env.BATCH_BASE_URL ? { 'base-url': env.BATCH_BASE_URL } : {};
  const above = { ...parseOptions(fromEnv, (name) => name), ...flags };
  if (typeof job !== 'string') return { flags, options: above, env };
  // A pipe can be read only once.
  if (!statSync(job).isFile()) throw new Error(`${job} is not a plain file`);
  return { flags, options: { ...readJobFile(resolve(job)).options, ...above }, env };
}

/** True for options that the file, the rows or the machine may make invalid, and for `--quiet`. */
function isDoubtful({ quiet, only, sample, map, encoding, delimiter, listen, ...hooks }: Options): boolean {
  const doubtful = [only, sample, map, encoding, delimiter, listen, hooks['on-row'], hooks['on-end']];
  return quiet === true || doubtful.some((value) => value !== undefined);
}

/** True for a readable plain file that is not empty. */
function isFilled(file: string): boolean {
  if (!statSync(file).isFile()) return false;
  const opened = openSync(file, 'r');
  try {
    return readSync(opened, Buffer.alloc(1)) > 0;
  } finally {
    closeSync(opened);
  }
}

/** True when the folder is missing or empty, so that a run can start there. */
function isFree(folder: string): boolean {
  const found = statSync(folder, { throwIfNoEntry: false });
  return found === undefined || (found.isDirectory() && readdirSync(folder).length === 0);
}

/** True when the service and the key are known. Does not read the options saved with the run. */
function isServiceKnown({ flags, options, env }: Given, out: string): boolean {
  const hasRun = seemsToHoldRun(out);
  const isRehearsal = existsSync(join(out, 'simulator.jsonl'));
  if (isRehearsal || options.simulate) return flags['base-url'] === undefined && (!hasRun || isRehearsal);
  const saved = hasRun ? { 'base-url': 'as saved' } : {};
  const isKeyFileGiven = flags['api-key-file'] !== undefined;
  serviceOf({ env, apiKey: null, isKeyFileGiven }, { ...saved, ...options });
  return true;
}
