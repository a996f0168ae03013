/** Digests of local pictures: reads saved ones, and stages new ones, which are saved with the imported rows. */

import type { PictureDigests } from '../../port/import.ts';
import { type Database, guard } from '../database.ts';
import { readPicture, seePicture } from './staging-statements.ts';

/** Requires the staging tables of an ingest. */
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
