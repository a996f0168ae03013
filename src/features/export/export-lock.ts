/** Keeps a second export out of a folder: they would remove each other's unfinished files. */

import { lockLocalFolder } from '../../app/stores.ts';
import { HeldError } from '../../errors.ts';
import { message } from '../../messages/message.ts';
import type { ExportWork } from '../../outputs/export-work.ts';

const lockTries = 10;

/** Holds the work folder. Disposing of it removes the folder and what is in it. Throws `HeldError`. */
export function lockExport(work: ExportWork, shown: string): AsyncDisposable {
  for (let tries = 1; ; tries += 1) {
    const before = work.lockNumber();
    try {
      const lock = lockLocalFolder(work.path);
      // An export that ends removes its lock: a process that had opened it before has locked a file without a name.
      if (work.lockNumber() === before) return { [Symbol.asyncDispose]: () => work.remove(lock) };
      lock[Symbol.dispose]();
    } catch (error) {
      if (error instanceof HeldError) throw new HeldError(message('folder.held', { folder: shown }), error);
      // One that ended just now may have removed the folder as well.
      if (tries === lockTries) throw error;
    }
  }
}
