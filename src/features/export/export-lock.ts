/** Keeps a second export out of a folder: they would remove each other's unfinished files. */

import { holdLocalFolder } from '../../app/stores.ts';
import { HeldError } from '../../errors.ts';
import { message } from '../../messages/message.ts';
import type { ExportFolder } from '../../outputs/export-folder.ts';

const lockTries = 10;

/** Holds the work folder. Disposing of it removes the folder and what is in it. Throws `HeldError`. */
export function holdExport(folder: ExportFolder, shown: string): AsyncDisposable {
  for (let tries = 1; ; tries += 1) {
    const before = folder.lockNumber();
    try {
      const lock = holdLocalFolder(folder.work);
      // An export that ends removes its lock: whoever had opened that one before holds a file without a name.
      if (folder.lockNumber() === before) return { [Symbol.asyncDispose]: () => folder.removeWork(lock) };
      lock[Symbol.dispose]();
    } catch (error) {
      if (error instanceof HeldError) throw new HeldError(message('folder.held', { folder: shown }), error);
      // One that ended just now may have removed the folder as well.
      if (tries === lockTries) throw error;
    }
  }
}
