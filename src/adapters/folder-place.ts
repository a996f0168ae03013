/** Where a folder is, as the system tells it. */

import { createHash } from 'node:crypto';
import { readFileSync, realpathSync, statSync } from 'node:fs';
import type { FolderPlace } from '../core/folder-place.ts';

/** Holds a name that no other computer has, on systems that keep one. */
const machineFile = '/etc/machine-id';

/** The place of a folder that is there. */
export function readFolderPlace(folder: string, nameFile = machineFile): FolderPlace {
  const { ino, birthtimeNs, ctimeNs } = statSync(folder, { bigint: true });
  // A system that does not know when a folder was made gives no time, or that of the last change.
  const isBirthKnown = birthtimeNs > 0n && birthtimeNs !== ctimeNs;
  return {
    machine: readMachine(nameFile),
    path: realpathSync.native(folder),
    inode: String(ino),
    birth: isBirthKnown ? String(birthtimeNs) : null,
  };
}

/** A digest, because the name itself is nobody else's business. Containers often have none, or an empty one. */
function readMachine(file: string): string | null {
  try {
    const name = readFileSync(file, 'utf8').trim();
    return name === '' ? null : createHash('sha256').update(`batch ${name}`).digest('hex').slice(0, 32);
  } catch {
    return null;
  }
}
