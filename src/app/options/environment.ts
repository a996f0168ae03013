/** The environment of a command: the variables of the process, then the `.env` next to the job or in the working folder. */

import { existsSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { parseEnv } from 'node:util';
import { saidOf, UsageError } from '../../errors.ts';
import { message } from '../../messages/message.ts';
import { type Language, languageOfLocale } from '../../text/languages.ts';
import { readTextFile } from './text-file.ts';

/** The values of variables, by name. */
export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Where a value was found: in what only the user writes, as the command line, the environment of the process, or a program; or in
 * a file (absolute path), which may be somebody else's.
 */
export type Origin = 'user' | { readonly file: string };

/** The environment of the process alone. */
export function processEnvironment(): Environment {
  return process.env;
}

/** The language that the user's system is set to. */
export function localeLanguage(): Language {
  return languageOfLocale(process.env, systemLocale);
}

/** On Linux the variables say all there is; asking takes a tenth of the time in which `batch status` ends. */
function systemLocale(): string {
  return process.platform === 'linux' ? 'C' : Intl.DateTimeFormat().resolvedOptions().locale;
}

/** A folder of that name is something else, such as the packages of another program. */
function isThere(file: string): boolean {
  return existsSync(file) && !statSync(file).isDirectory();
}

/** The environment of a command, and what of it a file says. */
export interface ReadEnvironment {
  readonly env: Environment;
  /** The `.env` whose variables are in it (absolute path); null for none. */
  readonly file: string | null;
}

/** Ways to the service: a file that came with a folder would see the key that goes there. */
const routeNames = /^(?:https?|all|no)_proxy$/i;

/** Merges the environment over the `.env` next to the job file, else in the working folder. Throws `UsageError` when it is unreadable. */
export function readEnvironment(job: string | undefined): ReadEnvironment {
  const folders = job === undefined ? ['.'] : [dirname(resolve(job)), '.'];
  const path = folders.map((folder) => join(folder, '.env')).find(isThere);
  if (path === undefined) return { env: process.env, file: null };
  try {
    const said = Object.entries(parseEnv(readTextFile(path))).filter(([name]) => !routeNames.test(name));
    return { env: { ...Object.fromEntries(said), ...process.env }, file: resolve(path) };
  } catch (error) {
    throw new UsageError(message('refused.env-file', { path, failure: saidOf(error) }), error);
  }
}

/** Where the value of a variable is from; null where it has none. */
export function originOf(name: string, { env, file }: ReadEnvironment): Origin | null {
  if (!env[name]) return null;
  return file === null || process.env[name] ? 'user' : { file };
}
