/** A folder that is there as a whole, or not at all. */

import { mkdirSync, renameSync, rmSync } from 'node:fs';

/**
 * What `fill` puts into `FOLDER.part` becomes the folder when `fill` has ended, in place of the one before. Where it fails, the one
 * before stays; a process that is killed leaves a `.part`, which the next one removes.
 */
export async function writeWholeFolder(folder: string, fill: (part: string) => Promise<void>): Promise<void> {
  const part = `${folder}.part`;
  rmSync(part, { recursive: true, force: true });
  mkdirSync(part, { recursive: true });
  try {
    await fill(part);
    rmSync(folder, { recursive: true, force: true });
    renameSync(part, folder);
  } finally {
    rmSync(part, { recursive: true, force: true });
  }
}
