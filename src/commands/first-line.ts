/**
 * What a slow command says before its work is loaded, so that nobody waits before silence. Wrong use is told in one line and no
 * more, so nothing is said here where the command may still be refused.
 */

import { closeSync, existsSync, lstatSync, openSync, readdirSync, readSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { type Environment, readEnvironment } from '../app/environment.ts';
import { parseOptions, readJobFile } from '../app/job-file.ts';
import { longName, type Options, optionNames } from '../app/options.ts';
import { serviceOf } from '../app/settings.ts';
import { shownName, standardInput } from '../app/standard-input.ts';
import type { Command } from './command.ts';

type Words = Readonly<Record<string, unknown>>;

/** `Reading questions.csv`, `Opening ./videos`; null where there is nothing to wait for, or something may be wrong. */
export function firstLine({ name }: Command, argv: Words): string | null {
  try {
    if (name === 'run' || name === 'check') return lineOfFile(name, argv);
    return slowFolderCommands.has(name) ? lineOfFolder(name, argv) : null;
  } catch {
    // The command tells it.
    return null;
  }
}

const slowFolderCommands: ReadonlySet<string> = new Set(['resume', 'collect', 'retry', 'verify', 'report']);

function lineOfFile(name: string, argv: Words): string | null {
  const given = readGiven(argv);
  const { options } = given;
  const { out = './videos' } = options;
  const named = argv.file ?? options.input;
  const file = named === '-' ? standardInput : named;
  const isPaid = name === 'run' && !options['dry-run'];
  const isSure =
    typeof file === 'string' &&
    !isDoubtful(options) &&
    (file === standardInput || isFilled(file)) &&
    (holdsRun(out) || isFree(out)) &&
    (!isPaid || isServiceKnown(given, out));
  return isSure ? `Reading ${shownName(file)}` : null;
}

function lineOfFolder(name: string, argv: Words): string | null {
  const given = readGiven(argv);
  const out = String(argv.dir);
  const asksService = name !== 'report' && (name !== 'verify' || argv.fix === true);
  const isSure =
    !isDoubtful(given.options) &&
    holdsRun(out) &&
    (name !== 'retry' || argv.failed === true || argv.rejected === true || argv.lost === true) &&
    (!asksService || isServiceKnown(given, out));
  return isSure ? `Opening ${out}` : null;
}

/** What was given, but for the options that are saved with the run. */
interface Given {
  readonly flags: Options;
  /** The flags over the environment over the job file. */
  readonly options: Options;
  readonly env: Environment;
}

/** Throws where something is wrong. */
function readGiven(argv: Words): Given {
  const { job } = argv;
  const names = optionNames.map(longName);
  const flags = parseOptions(Object.fromEntries(names.map((name) => [name, argv[name]])), (name) => name);
  const env = readEnvironment(typeof job === 'string' ? job : undefined);
  const fromEnv = env.BATCH_BASE_URL ? { 'base-url': env.BATCH_BASE_URL } : {};
  const above = { ...parseOptions(fromEnv, (name) => name), ...flags };
  if (typeof job !== 'string') return { flags, options: above, env };
  // What comes through a pipe can be read only once.
  if (!statSync(job).isFile()) throw new Error(`${job} is not a plain file`);
  return { flags, options: { ...readJobFile(resolve(job)).options, ...above }, env };
}

/** True for options that are good or wrong depending on the file, the rows or the machine. Nothing is said when quiet is wanted. */
function isDoubtful({ quiet, only, map, encoding, delimiter, listen }: Options): boolean {
  return quiet === true || [only, map, encoding, delimiter, listen].some((value) => value !== undefined);
}

/** True for a plain file that is not empty and may be read. */
function isFilled(file: string): boolean {
  return statSync(file).isFile() && headOf(file).length > 0;
}

/** True where a run can begin: there is no such folder yet, or nothing in it. */
function isFree(folder: string): boolean {
  const found = statSync(folder, { throwIfNoEntry: false });
  return found === undefined || (found.isDirectory() && readdirSync(folder).length === 0);
}

/** True where a checkpoint stands that looks like one. */
function holdsRun(folder: string): boolean {
  const checkpoint = join(folder, 'batch.sqlite');
  if (lstatSync(checkpoint, { throwIfNoEntry: false })?.isFile() !== true) return false;
  return headOf(checkpoint) === 'SQLite format 3\0';
}

/** The first 16 bytes. */
function headOf(path: string): string {
  const file = openSync(path, 'r');
  try {
    const bytes = Buffer.alloc(16);
    return bytes.toString('latin1', 0, readSync(file, bytes));
  } finally {
    closeSync(file);
  }
}

/** True where it is known which service the rows go to, and with which key. What is saved with the run is not looked up. */
function isServiceKnown({ flags, options, env }: Given, out: string): boolean {
  const hasRun = holdsRun(out);
  const isRehearsal = existsSync(join(out, 'simulator.jsonl'));
  if (isRehearsal || options.simulate) return flags['base-url'] === undefined && (!hasRun || isRehearsal);
  const saved = hasRun ? { 'base-url': 'as saved' } : {};
  const isKeyFileGiven = flags['api-key-file'] !== undefined;
  serviceOf({ env, apiKey: null, isKeyFileGiven }, { ...saved, ...options });
  return true;
}
