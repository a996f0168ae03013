/**
 * Digests of local pictures, remembered by path: a file of the same size that was not changed since is not read again. What
 * was read now is remembered with the rows that are taken up, and not at all when they are not.
 */

import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import type { Database } from './database.ts';
import { readPicture, seePicture } from './ingest-statements.ts';

/** Answers held in memory: rows that share a figure stand near each other. */
const keptCount = 10_000;

/** Digests over a checkpoint with an ingest under way; rejects never. */
export function createPictureDigests(db: Database): (path: string) => Promise<string | null> {
  const known = db.prepare<[string, number, number], { digest: string }>(readPicture);
  const see = db.prepare<[string, number, number, string]>(seePicture);
  const answers = new Map<string, Promise<string | null>>();

  const read = async (path: string): Promise<string | null> => {
    try {
      // The time of the last change of any kind: unlike that of the content it cannot be set by who copies a file.
      const { size, ctimeMs } = await stat(path);
      const saved = known.get(path, size, ctimeMs);
      if (saved !== undefined) return saved.digest;
      const hash = createHash('sha256');
      for await (const bytes of createReadStream(path)) hash.update(bytes);
      const digest = hash.digest('hex');
      const after = await stat(path);
      if (after.size === size && after.ctimeMs === ctimeMs) see.run(path, size, ctimeMs, digest);
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
