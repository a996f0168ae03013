/**
 * Pictures of workbooks next to the checkpoint, `images/DIGEST` each: a run continues without its workbook, and a picture
 * that many rows share is kept once.
 */

import { createHash, randomUUID } from 'node:crypto';
import { dirname, join } from 'node:path';
import { keptPath } from '../../files/output-paths.ts';
import { message } from '../../messages/message.ts';
import type { PictureStore } from '../../ports.ts';
import { syncFolderNow } from '../directory-sync.ts';
import {
  guarded,
  isRealFolder,
  lstatIfThere,
  makeFolder,
  openAnew,
  replaceFile,
  segmentsOf,
  unlinkIfThere,
} from '../guarded-disk.ts';
import { openSavedFile } from '../saved-file.ts';

/** The pictures in this output folder (absolute), which need not exist while only looked into. */
export function pictureFolder(root: string): PictureStore {
  const place = (sha256: string): { path: string; folder: string[]; file: string } => {
    const path = keptPath(sha256);
    return { path, folder: segmentsOf(path).slice(0, -1), file: join(root, path) };
  };
  const sizeOf = async (sha256: string): Promise<number | null> => {
    const { folder, file } = place(sha256);
    if (!isRealFolder(root, folder)) return null;
    const found = lstatIfThere(file);
    return found?.isFile() ? found.size : null;
  };
  return {
    sizeOf,
    async read(sha256) {
      const { path } = place(sha256);
      await using file = await openSavedFile(root, path);
      if (file === null) throw new Error(message('file.lost-picture', { path }).text);
      const bytes = await file.readFile();
      if (createHash('sha256').update(bytes).digest('hex') !== sha256)
        throw new Error(message('file.changed-picture', { path }).text);
      return bytes;
    },
    async keep(sha256, bytes) {
      const { path, folder, file } = place(sha256);
      if ((await sizeOf(sha256)) === bytes.length) return;
      await guarded(root, path, async () => {
        const isNew = lstatIfThere(dirname(file)) === null;
        const temporary = `${join(makeFolder(root, folder), sha256)}.${randomUUID()}.tmp`;
        try {
          using opened = openAnew(temporary);
          await opened.write(bytes, null);
          await opened.sync();
        } catch (error) {
          unlinkIfThere(temporary);
          throw error;
        }
        await replaceFile(temporary, file);
        syncFolderNow(dirname(file));
        if (isNew) syncFolderNow(root);
      });
    },
  };
}
