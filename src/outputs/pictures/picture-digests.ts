/** Digests of local pictures. A file with unchanged size and change time is not read again. */

import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import type { PictureDigests } from '../../stores/port/import.ts';
import { pictureOnDisk } from './path-on-disk.ts';

/** Digests cached: rows that share a figure are usually close together. */
const keptCount = 10_000;

/** The digest of a file by its path; null where it cannot be read. Never rejects. */
export function createPictureDigest(saved: PictureDigests): (path: string) => Promise<string | null> {
  const answers = new Map<string, Promise<string | null>>();

  const read = async (path: string): Promise<string | null> => {
    try {
      // The inode change time: unlike the modification time, copying cannot set it.
      const real = pictureOnDisk(path);
      const { size, ctimeMs } = await stat(real);
      const known = await saved.find(path, size, ctimeMs);
      if (known !== null) return known;
      const hash = createHash('sha256');
      for await (const bytes of createReadStream(real)) hash.update(bytes);
      const digest = hash.digest('hex');
      const after = await stat(real);
      if (after.size === size && after.ctimeMs === ctimeMs) await saved.note(path, size, ctimeMs, digest);
      return digest;
    } catch {
      return null;
    }
  };

  return (path) => {
    if (answers.size > keptCount) answers.clear();
    const answer = answers.get(path) ?? read(path);
    answers.set(path, answer);
    return answer;
  };
}
