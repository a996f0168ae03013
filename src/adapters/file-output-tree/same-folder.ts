/** Detects that an output folder was moved or replaced while the run works in it by its path. */

import { type BigIntStats, statSync } from 'node:fs';
import { DiskError } from '../../errors.ts';

/** Returns a check that throws `DiskError` once the path leads to another folder than now, or to none. */
export function watchFolder(folder: string): () => void {
  const opened = look(folder);
  return () => {
    const now = look(folder);
    if (now !== null && opened !== null && now.ino === opened.ino && now.dev === opened.dev) return;
    throw new DiskError(
      `${folder} is not the folder that was opened: it was moved, or another one is in its place; put it back and run the same command again`,
    );
  };
}

/** Null when the folder is missing or cannot be read. */
function look(folder: string): BigIntStats | null {
  try {
    return statSync(folder, { bigint: true, throwIfNoEntry: false }) ?? null;
  } catch {
    return null;
  }
}
