/** Reads where a folder is. */

import { createHash } from 'node:crypto';
import { readFileSync, realpathSync, statSync } from 'node:fs';
import type { FolderPlace } from '../files/folder-place.ts';

/** Contains a name unique to the computer, on systems that have one. */
const machineFile = '/etc/machine-id';

/** The place of an existing folder. */
export function readFolderPlace(folder: string, nameFile = machineFile): FolderPlace {
  const { ino, birthtimeNs, ctimeNs } = statSync(folder, { bigint: true });
  // A system without creation times reports zero, or the time of the last change.
  const isBirthKnown = birthtimeNs > 0n && birthtimeNs !== ctimeNs;
  return {
    machine: readMachine(nameFile),
    path: realpathSync.native(folder),
    inode: String(ino),
    birth: isBirthKnown ? String(birthtimeNs) : null,
  };
}

/** A digest, to keep the name itself private. Containers often have none, or an empty one. */
function readMachine(file: string): string | null {
  try {
    const name = readFileSync(file, 'utf8').trim();
    return name === '' ? null : createHash('sha256').update(`batch ${name}`).digest('hex').slice(0, 32);
  } catch {
    return null;
  }
}
