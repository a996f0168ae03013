/** Detects that an output folder was moved or replaced while the run works in it by its path. */

import { type BigIntStats, statSync } from 'node:fs';
import { DiskError } from '../errors.ts';
import { message } from '../messages/message.ts';

/** Returns a check that throws `DiskError` once the path leads to another folder than now, or to none. */
export function watchFolder(folder: string): () => void {
  const opened = look(folder);
  // Some systems give the time of the last change as that of birth, which moves with each new name.
  let isBirthKnown = opened !== null && opened.birthtimeNs !== opened.ctimeNs;
  return () => {
    const now = look(folder);
    if (now !== null && opened !== null && now.ino === opened.ino && now.dev === opened.dev) {
      isBirthKnown ||= now.birthtimeNs !== now.ctimeNs;
      // A new folder may get the number of a removed one.
      if (now.birthtimeNs === opened.birthtimeNs || !isBirthKnown) return;
    }
    throw new DiskError(message('output.other-folder', { folder }));
  };
}

/** Null when there is no folder, or it cannot be read. */
function look(folder: string): BigIntStats | null {
  try {
    const found = statSync(folder, { bigint: true, throwIfNoEntry: false });
    return found?.isDirectory() ? found : null;
  } catch {
    return null;
  }
}
