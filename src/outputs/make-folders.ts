/**
 * Creates a folder with those above it. Node's own way asks for ever where a file system has no room for new names at all
 * (`/proc`), and calls a read-only one a folder that does not exist.
 */

import { mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

/** The first folder that this call made; null where the folder was there. Throws the refusal of the system. */
export function makeFolders(folder: string, mode?: number): string | null {
  if (isFolder(folder)) return null;
  const parent = dirname(folder);
  const first = parent === folder ? null : makeFolders(parent, mode);
  try {
    mkdirSync(folder, { mode });
  } catch (error) {
    // Another process may have made it meanwhile.
    if (!isFolder(folder)) throw error;
    return first;
  }
  return first ?? folder;
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}
