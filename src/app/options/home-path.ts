/** Paths below the home folder: a shell leaves `~` as it is where it is quoted, and nobody expands it in a job file. */

import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, resolve, sep } from 'node:path';
import { UsageError } from '../../errors.ts';

/**
 * The path with the home folder in place of `~`. `shown` is how messages name its option, `folder` what it is relative to.
 * Throws `UsageError` for the home of another user; a file whose name begins so is one.
 */
export function homePath(path: string, shown: string, folder = '.'): string {
  if (!path.startsWith('~')) return path;
  if (path === '~' || path.startsWith('~/') || path.startsWith(`~${sep}`))
    return join(homedir(), path.slice(1));
  if (existsSync(resolve(folder, path))) return path;
  throw new UsageError(
    `${shown}: "${path}" names the home folder of another user; use the whole path, or ./${path} for a name that begins with ~`,
  );
}
