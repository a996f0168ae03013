/** Opens a file of the output folder for readers: never through a link, never anything but a file. */

import { constants } from 'node:fs';
import { type FileHandle, lstat, open } from 'node:fs/promises';
import { join } from 'node:path';
import { codeOf } from '../errors.ts';
import { isRealFolder, openFlags, segmentsOf } from './guarded-disk.ts';

/** Otherwise opening a pipe would block until another process writes into it. */
const flags = openFlags.read | (constants.O_NONBLOCK ?? 0);

/** Error codes for a path that leads to no file, or to a link. */
const noFile = ['ENOENT', 'ENOTDIR', 'ELOOP', 'EMLINK', 'ENXIO', 'EACCES', 'EPERM', 'ENAMETOOLONG'];

/** The regular file at `path` (relative to `root`, with `/`), opened for reading; null where there is none. */
export async function openSavedFile(root: string, path: string): Promise<FileHandle | null> {
  const segments = segmentsOf(path);
  const full = join(root, ...segments);
  const handle = await open(full, flags).catch((error: unknown) => {
    if (noFile.includes(codeOf(error))) return null;
    throw error;
  });
  if (handle === null) return null;
  try {
    const opened = await handle.stat();
    // Checked after opening, so that a folder replaced by a link before that is detected here.
    const found = await lstat(full);
    const isTheSame = found.ino === opened.ino && found.dev === opened.dev;
    if (opened.isFile() && isTheSame && isRealFolder(root, segments.slice(0, -1))) return handle;
  } catch (error) {
    await handle.close();
    if (noFile.includes(codeOf(error))) return null;
    throw error;
  }
  await handle.close();
  return null;
}
