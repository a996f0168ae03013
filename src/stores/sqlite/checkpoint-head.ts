/** What tells a checkpoint from outside, without opening the database: its name and its first bytes. */

import { closeSync, lstatSync, openSync, readSync } from 'node:fs';
import { join } from 'node:path';

/** Name of the checkpoint in the output folder. */
export const checkpointName = 'batch.sqlite';

const head = 'SQLite format 3\0';

/** True when the folder has a checkpoint that looks valid. Throws when it cannot be read. */
export function hasCheckpointHead(folder: string): boolean {
  const path = join(folder, checkpointName);
  if (lstatSync(path, { throwIfNoEntry: false })?.isFile() !== true) return false;
  const file = openSync(path, 'r');
  try {
    const bytes = Buffer.alloc(head.length);
    return bytes.toString('latin1', 0, readSync(file, bytes)) === head;
  } finally {
    closeSync(file);
  }
}
