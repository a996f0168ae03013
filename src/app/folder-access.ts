/** Whether this user may use an output folder. One of another user is wrong use: neither a full disk nor a bug. */

import { accessSync, constants, existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { codeOf, UsageError } from '../errors.ts';

const remedy = 'run batch as its owner, or choose another folder';

/** Throws `UsageError` for a folder that is there and may not be read, or in which one of `files`, those of the store, may not. */
export function refuseUnreadable(folder: string, files: readonly string[]): void {
  for (const name of ['', ...files]) {
    const path = join(folder, name);
    const isShut = isForbidden(path, constants.R_OK) || (name === '' && isSealed(path));
    if (isShut) throw new UsageError(`${path} is not readable by this user; ${remedy}`);
  }
}

/** Throws `UsageError` for a folder of another user in which this one may not write. A read-only folder of one's own is a matter of the disk. */
export function refuseOthersFolder(folder: string, files: readonly string[]): void {
  refuseUnreadable(folder, files);
  if (!existsSync(folder) || statSync(folder).uid === process.geteuid?.()) return;
  for (const name of ['', ...files]) refuseUnwritable(join(folder, name));
}

/** The same for whoever looks and could not: to read a checkpoint takes the right to write beside it while no run goes on. */
export function refuseUnwritable(path: string): void {
  if (isForbidden(path, constants.W_OK))
    throw new UsageError(`${path} is not writable by this user; ${remedy}`);
}

/** Its names can be read, and nothing behind them. What is no folder is told by whoever opens it. */
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
