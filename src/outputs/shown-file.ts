/** Opens a file of an output folder for a page that shows it. */

import type { ShownFile } from '../ports.ts';
import { openSavedFile } from './saved-file.ts';

/** Null where no file is at `path`. */
export async function openShownFile(folder: string, path: string): Promise<ShownFile | null> {
  const handle = await openSavedFile(folder, path);
  if (handle === null) return null;
  const { size, mtimeNs, ino } = await handle.stat({ bigint: true });
  return {
    sizeBytes: Number(size),
    etag: `"${[ino, size, mtimeNs].map((part) => part.toString(36)).join('-')}"`,
    read: async (start, end) => handle.createReadStream({ start, end: end - 1, autoClose: false }),
    [Symbol.asyncDispose]: () => handle.close(),
  };
}
