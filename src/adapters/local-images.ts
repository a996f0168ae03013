/** Local images that rows point at. */

import { open, stat } from 'node:fs/promises';
import type { ImageFiles } from '../ports.ts';
import { ChangedFileError, readSteadily } from './local-images/steady-file.ts';

/** Enough to tell an image by its signature. */
const headBytes = 64;

export const localImages: ImageFiles = {
  async read(path) {
    try {
      return await readSteadily(path);
    } catch (error) {
      if (error instanceof ChangedFileError) throw error;
      throw new Error(`${path} cannot be read`, { cause: error });
    }
  },
};

/** The first bytes of a local file; null where there is no regular file that can be read. */
export async function readImageHead(path: string): Promise<Uint8Array | null> {
  try {
    if (!(await isRegularFile(path))) return null;
    await using file = await open(path, 'r');
    const { bytesRead, buffer } = await file.read(new Uint8Array(headBytes), 0, headBytes, 0);
    return buffer.subarray(0, bytesRead);
  } catch {
    return null;
  }
}

/** Opening a pipe would wait for somebody to write into it. */
async function isRegularFile(path: string): Promise<boolean> {
  return (await stat(path)).isFile();
}
