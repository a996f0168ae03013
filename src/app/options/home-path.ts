/** Paths below the home folder: a shell leaves `~` as it is where it is quoted, and nobody expands it in a job file. */

import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, resolve, sep } from 'node:path';
import { UsageError } from '../../errors.ts';
import { message } from '../../messages/message.ts';

/**
 * The path with the home folder in place of `~`. `shown` is how messages name its option, `folder` what it is relative to.
 * Throws `UsageError` for the home of another user, and where there is a path that is written so; a file whose name begins so
 * is one.
 */
export function homePath(path: string, shown: string, folder = '.'): string {
  if (!path.startsWith('~')) return path;
  const isThere = existsSync(resolve(folder, path));
  if (path === '~' || path.startsWith('~/') || path.startsWith(`~${sep}`)) {
    const home = join(homedir(), path.slice(1));
    if (!isThere) return home;
    // It may be a run that was started there: in the other folder it would begin, and be paid for, again.
    throw new UsageError(message('refused.home-or-here', { option: shown, path, home }));
  }
  if (isThere) return path;
  throw new UsageError(message('refused.home-of-another', { option: shown, path }));
}
