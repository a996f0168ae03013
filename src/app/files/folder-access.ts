/** Checks that this user may use an output folder. Lack of permission is a usage error, neither a full disk nor a bug. */

import { accessSync, constants, existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { codeOf, UsageError } from '../../errors.ts';
import { message } from '../../messages/message.ts';

/** Throws `UsageError` when the folder exists and it, or one of `files` (the store's) in it, is not readable. */
export function refuseUnreadable(folder: string, files: readonly string[]): void {
  for (const name of ['', ...files]) {
    const path = join(folder, name);
    const isShut = isForbidden(path, constants.R_OK) || (name === '' && isSealed(path));
    if (isShut) throw new UsageError(message('refused.unreadable-folder', { path }));
  }
}

/** Throws `UsageError` for a folder of another user that is not writable. The user's own read-only folder is a disk error. */
export function refuseOthersFolder(folder: string, files: readonly string[]): void {
  refuseUnreadable(folder, files);
  if (!existsSync(folder) || statSync(folder).uid === process.geteuid?.()) return;
  for (const name of ['', ...files]) refuseUnwritable(join(folder, name));
}

/** The same after a failed read: without an active run, reading a checkpoint requires permission to write next to it. */
export function refuseUnwritable(path: string): void {
  if (isForbidden(path, constants.W_OK)) throw new UsageError(message('refused.unwritable-folder', { path }));
}

/** True when only the names in the folder are readable. Anything but a folder fails later, when it is opened. */
function isSealed(folder: string): boolean {
  return existsSync(folder) && statSync(folder).isDirectory() && isForbidden(folder, constants.X_OK);
}

function isForbidden(path: string, mode: number): boolean {
  try {
    accessSync(path, mode);
    return false;
  } catch (error) {
    return /^(EACCES|EPERM)$/.test(codeOf(error));
  }
}
