/**
 * What is said before the parser and the work are loaded, so that nobody waits before silence. Wrong use is told in one line and
 * no more, so where a line may be wrong, in whatever way, nothing is said here: what is looked at are words, never more than
 * a few bytes of a file.
 */

import {
  closeSync,
  existsSync,
  lstatSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  statSync,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { type Environment, readEnvironment } from '../app/environment.ts';
import { commands } from './command-list.ts';
import { type Flag, flagsOf, runGroups } from './flags.ts';

/** What an option was given: a text, or true and false for a switch. */
type Value = string | boolean;
type Values = Readonly<Record<string, Value>>;

/** A line whose words are all known. */
interface Line {
  readonly name: string;
  readonly word: string | undefined;
  /** Of the command line alone. */
  readonly flags: Values;
  /** Of the command line and the job file. */
  readonly options: Values;
  readonly env: Environment;
}

/** `Reading questions.csv`, `Opening ./videos`; null where there is nothing to wait for, or the line may be wrong. */
export function startupBanner(args: readonly string[]): string | null {
  try {
    const line = readLine(args);
    if (line === null || line.options.quiet === true) return null;
    if (line.name === 'run' || line.name === 'check') return bannerOfFile(line);
    return bannerOfFolder(line);
  } catch {
    return null;
  }
}

const slowCommands: ReadonlySet<string> = new Set([
  'run',
  'resume',
  'collect',
  'check',
  'retry',
  'verify',
  'report',
]);

function readLine([name, ...rest]: readonly string[]): Line | null {
  const command = commands.find((one) => one.name === name);
  if (command === undefined || !slowCommands.has(command.name) || rest.includes('--')) return null;
  const known = flagsOf(command.groups);
  const { values, positionals } = parseArgs({
    args: rest,
    options: parserOptions(known),
    allowPositionals: true,
  });
  const flags: Record<string, Value> = {};
  for (const [flag, given] of Object.entries(values)) {
    const [value = '', ...more] = [given].flat();
    if (more.length > 0 || !isSurelyGood(known[flag], value)) return null;
    flags[flag] = value;
  }
  if (positionals.length > 1) return null;
  const [word] = positionals;
  const job = typeof flags.job === 'string' ? flags.job : undefined;
  const ofJob = job === undefined ? {} : readJob(job);
  const env = readEnvironment(job);
  if (env.BATCH_BASE_URL && !isPlainAddress(env.BATCH_BASE_URL)) return null;
  return ofJob === null ? null : { name: command.name, word, flags, options: { ...ofJob, ...flags }, env };
}

function parserOptions(known: ReturnType<typeof flagsOf>) {
  return Object.fromEntries(
    Object.entries(known).map(([name, { value, letter }]) => [
      name,
      {
        type: value === undefined ? ('boolean' as const) : ('string' as const),
        multiple: value !== undefined,
        ...(letter === undefined ? {} : { short: letter }),
      },
    ]),
  );
}

/** The options of a job file, its paths made absolute; null where any may be wrong. */
function readJob(path: string): Values | null {
  const content: Record<string, unknown> = JSON.parse(readFileSync(path, 'utf8'));
  const known: Readonly<Record<string, Flag>> = {
    input: { describe: '', value: 'FILE' },
    ...flagsOf(runGroups),
  };
  const options: Record<string, Value> = {};
  for (const [name, given] of Object.entries(content)) {
    if (name === '$schema') continue;
    const value = typeof given === 'number' ? String(given) : given;
    if (typeof value !== 'string' && typeof value !== 'boolean') return null;
    if (!Object.hasOwn(known, name) || name === 'job' || !isSurelyGood(known[name], value)) return null;
    const isPath = known[name]?.value === 'FILE' || known[name]?.value === 'DIR';
    options[name] = isPath && value !== '-' ? resolve(dirname(path), String(value)) : value;
  }
  return options;
}

/** Values that the schema of the options takes, by what stands for them in the help. There are more that it takes. */
export const plainValues: Readonly<Record<string, RegExp>> = {
  N: /^[1-9]\d{0,8}$/,
  'N|none': /^([1-9]\d{0,8}|none)$/,
  D: /^([1-9]\d{0,3}(ms|s|m)?|[1-9]\d?h)$/,
  FAIL: /^[1-9]\d?%?$/,
  RATE: /^(\d\d?%|0\.\d{1,3})$/,
  FILE: /^[^\0]+$/,
  DIR: /^[^\0]+$/,
};

function isSurelyGood(flag: Flag | undefined, given: Value): boolean {
  if (flag?.value === undefined) return flag !== undefined && typeof given === 'boolean';
  if (typeof given !== 'string') return false;
  if (typeof flag.value !== 'string') return flag.value.includes(given);
  if (flag.value === 'URL') return isPlainAddress(given);
  return plainValues[flag.value]?.test(given) === true;
}

function isPlainAddress(text: string): boolean {
  return /^https?:\/\/[\w.-]+(:\d{1,5})?(\/[\w./-]*)?$/.test(text) && URL.canParse(text);
}

function bannerOfFile(line: Line): string | null {
  const { name, word, options } = line;
  const file = word ?? (name === 'run' ? options.input : undefined);
  if (typeof file !== 'string' || !isInput(file)) return null;
  const out = typeof options.out === 'string' ? options.out : './videos';
  const hasRun = holdsRun(out);
  if (!hasRun && !isFree(out)) return null;
  const sends = name === 'run' && options['dry-run'] !== true;
  if (sends && !isServiceKnown(line, out, hasRun)) return null;
  return `Reading ${file === '-' ? 'standard input' : file}`;
}

function bannerOfFolder(line: Line): string | null {
  const { name, word: out = './videos', flags } = line;
  if (!holdsRun(out)) return null;
  if (name === 'retry' && !flags.failed && !flags.rejected && !flags.lost) return null;
  const sends = name !== 'report' && (name !== 'verify' || flags.fix === true);
  if (sends && !isServiceKnown(line, out, true)) return null;
  return `Opening ${out}`;
}

/** True for a plain file that is not empty and may be read; standard input is whatever it is. */
function isInput(file: string): boolean {
  if (file === '-') return true;
  const found = statSync(file);
  return found.isFile() && found.size > 0 && headOf(file).length > 0;
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
function isServiceKnown({ flags, options, env }: Line, out: string, hasRun: boolean): boolean {
  const isRehearsal = existsSync(join(out, 'simulator.jsonl'));
  if (isRehearsal || options.simulate === true)
    return flags['base-url'] === undefined && (!hasRun || isRehearsal);
  const address = flags['base-url'] ?? (env.BATCH_BASE_URL || options['base-url']);
  const isAddressGood = typeof address === 'string' ? isPlainAddress(address) : hasRun;
  return isAddressGood && /^\s*[\x21-\x7e]+\s*$/.test(keyOf(flags, options, env));
}

/** The text that holds the key; '' where there is none. */
function keyOf(flags: Values, options: Values, env: Environment): string {
  const file =
    flags['api-key-file'] ?? (env.BATCH_API_KEY === undefined ? options['api-key-file'] : undefined);
  return typeof file === 'string' ? readFileSync(file, 'utf8') : (env.BATCH_API_KEY ?? '');
}
