/** The environment of a command: the variables of the process, then the `.env` beside the job or in the working folder. */

import { existsSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { parseEnv } from 'node:util';
import { messageOf, UsageError } from '../../errors.ts';
import { type Language, languageOfLocale } from '../../text/languages.ts';
import { readTextFile } from './text-file.ts';

/** The values of variables, by name. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** The environment of the process alone. */
export function processEnvironment(): Environment {
  return process.env;
}

/** The language that the user's system is set to. */
export function localeLanguage(): Language {
  return languageOfLocale(process.env, Intl.DateTimeFormat().resolvedOptions().locale);
}

/** A folder of that name is something else, such as the packages of another program. */
function isThere(file: string): boolean {
  return existsSync(file) && !statSync(file).isDirectory();
}

/** Merges the environment over the `.env` beside the job file, else in the working folder. Throws `UsageError` when it is unreadable. */
export function readEnvironment(job: string | undefined): Environment {
  const folders = job === undefined ? ['.'] : [dirname(resolve(job)), '.'];
  const path = folders.map((folder) => join(folder, '.env')).find(isThere);
  if (path === undefined) return process.env;
  try {
    return { ...parseEnv(readTextFile(path)), ...process.env };
  } catch (error) {
    throw new UsageError(`${path} cannot be read: ${messageOf(error)}`, error);
  }
}
