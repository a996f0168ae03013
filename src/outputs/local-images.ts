/** Reads the local images of rows. */

import { open, stat } from 'node:fs/promises';
import { tooLarge } from '../files/image-size.ts';
import type { ImageFiles } from '../ports.ts';
import { ChangedFileError, readSteadily } from './local-images/steady-file.ts';

/** Enough to recognize an image by its signature. */
const headBytes = 64;

export const localImages: Pick<ImageFiles, 'read'> = {
  async read(path, maxBytes = Number.POSITIVE_INFINITY) {
    const { size } = await stat(path).catch(() => ({ size: 0 }));
    const wrong = tooLarge(size, maxBytes);
    if (wrong !== null) throw new Error(`${path} ${wrong}`);
    try {
      return await readSteadily(path);
    } catch (error) {
      if (error instanceof ChangedFileError) throw error;
      throw new Error(`${path} cannot be read`, { cause: error });
    }
  },
};

/** First bytes and size of a local file; null where there is no readable regular file. */
export async function readImageHead(
  path: string,
): Promise<{ readonly head: Uint8Array; readonly sizeBytes: number } | null> {
  try {
    // Opening a pipe would block until something writes into it.
    const stats = await stat(path);
    if (!stats.isFile()) return null;
    await using file = await open(path, 'r');
    const { bytesRead, buffer } = await file.read(new Uint8Array(headBytes), 0, headBytes, 0);
    return { head: buffer.subarray(0, bytesRead), sizeBytes: stats.size };
  } catch {
    return null;
  }
}
