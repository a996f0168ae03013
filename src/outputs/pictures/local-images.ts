/** Reads the local images of rows. */

import { type FileHandle, open, stat } from 'node:fs/promises';
import { tooLarge } from '../../files/image-size.ts';
import { type PictureFlaw, pictureError, pictureFlaw } from '../../files/picture-flaw.ts';
import type { Walk } from '../../files/walk.ts';
import { message } from '../../messages/message.ts';
import type { ImageFiles } from '../../ports.ts';
import { pictureOnDisk } from './path-on-disk.ts';
import { ChangedFileError, readSteadily } from './steady-file.ts';

/** Read at once: the parts of a picture lie close together. */
const windowBytes = 64 * 1024;

export const localImages: Pick<ImageFiles, 'read'> = {
  async read(path, maxBytes = Number.POSITIVE_INFINITY) {
    const real = pictureOnDisk(path);
    const { size } = await stat(real).catch(() => ({ size: 0 }));
    const flaw = tooLarge(size, maxBytes);
    if (flaw !== null) throw pictureError(path, flaw);
    try {
      return await readSteadily(real);
    } catch (error) {
      if (error instanceof ChangedFileError) throw error;
      throw pictureError(path, message('picture.unreadable'), error);
    }
  },
};

/** What is wrong with the picture in a local file, and its size; null where there is no readable regular file. */
export async function lookAtPicture(
  path: string,
): Promise<{ readonly flaw: PictureFlaw | null; readonly sizeBytes: number } | null> {
  try {
    // Opening a pipe would block until something writes into it.
    const real = pictureOnDisk(path);
    const stats = await stat(real);
    if (!stats.isFile()) return null;
    await using file = await open(real, 'r');
    return { flaw: await walkFile(pictureFlaw(stats.size), file), sizeBytes: stats.size };
  } catch {
    return null;
  }
}

async function walkFile<T>(walk: Walk<T>, file: FileHandle): Promise<T> {
  let buffered: Uint8Array = new Uint8Array();
  let start = 0;
  let step = walk.next();
  while (step.done !== true) {
    const { offset, length } = step.value;
    if (offset < start || offset + length > start + buffered.length) {
      const size = Math.max(length, windowBytes);
      const { bytesRead, buffer } = await file.read(new Uint8Array(size), 0, size, offset);
      buffered = buffer.subarray(0, bytesRead);
      start = offset;
    }
    step = walk.next(buffered.subarray(offset - start, offset - start + length));
  }
  return step.value;
}
