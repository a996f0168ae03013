/** Local images that rows point at. */

import { open, readFile } from 'node:fs/promises';
import type { ImageFiles } from '../ports.ts';

/** Enough to tell an image by its signature. */
const headBytes = 64;

export const localImages: ImageFiles = {
  async read(path) {
    try {
      return await readFile(path);
    } catch (error) {
      throw new Error(`${path} cannot be read`, { cause: error });
    }
  },
};

/** The first bytes of a local file; null where there is no regular file that can be read. */
export async function readImageHead(path: string): Promise<Uint8Array | null> {
  try {
    await using file = await open(path, 'r');
    if (!(await file.stat()).isFile()) return null;
    const { bytesRead, buffer } = await file.read(new Uint8Array(headBytes), 0, headBytes, 0);
    return buffer.subarray(0, bytesRead);
  } catch {
    return null;
  }
}
