/** Notices that an output folder was moved away or another one was put in its place, while it is worked in by its path. */

import { type BigIntStats, statSync } from 'node:fs';
import { DiskError } from '../../errors.ts';

/** Throws `DiskError` from the moment on at which the path leads to another folder than now, or to none. */
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

/** Null where nothing can be seen. */
function look(folder: string): BigIntStats | null {
  try {
    return statSync(folder, { bigint: true, throwIfNoEntry: false }) ?? null;
  } catch {
    return null;
  }
}
