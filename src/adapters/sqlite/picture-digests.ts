/** Digests of local pictures: those that the checkpoint knows, and those that are saved with the rows that are being imported. */

import type { PictureDigests } from '../../store.ts';
import { type Database, guard } from './database.ts';
import { readPicture, seePicture } from './ingest-statements.ts';

/** Over a checkpoint with an ingest under way, whose staging tables hold what is noted. */
export function pictureDigests(db: Database): PictureDigests {
  const known = db.prepare<[string, number, number], { digest: string }>(readPicture);
  const see = db.prepare<[string, number, number, string]>(seePicture);
  return {
    find: async (path, sizeBytes, changedAt) =>
      guard(db.name, () => known.get(path, sizeBytes, changedAt)?.digest ?? null),
    note: async (path, sizeBytes, changedAt, digest) => {
      guard(db.name, () => see.run(path, sizeBytes, changedAt, digest));
    },
  };
}
