/** The environment of a command line: that of the process, over the `.env` beside the job or in the working folder. */

import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { parseEnv } from 'node:util';
import { messageOf, UsageError } from '../errors.ts';

/** What a variable is, by its name. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** The environment of the process alone. */
export function processEnvironment(): Environment {
  return process.env;
}

/** The environment over the `.env` beside the job file, else in the working folder. Throws `UsageError` when that cannot be read. */
export function readEnvironment(job: string | undefined): Environment {
  const folders = job === undefined ? ['.'] : [dirname(resolve(job)), '.'];
  const path = folders.map((folder) => join(folder, '.env')).find((file) => existsSync(file));
  if (path === undefined) return process.env;
  try {
    return { ...parseEnv(readFileSync(path, 'utf8')), ...process.env };
  } catch (error) {
    throw new UsageError(`${path} cannot be read: ${messageOf(error)}`, error);
  }
}
