/** Digests of local pictures: reads saved ones, and stages new ones, which are saved with the imported rows. */

import type { PictureDigests } from '../../port/import.ts';
import { copyLine } from './ingest-rows.ts';
import { CopiedLines, type IngestSession } from './ingest-session.ts';
import { copySeenPictures } from './ingest-tables.ts';

const findDigest = `
  SELECT digest FROM pictures
  WHERE text_key(path) = text_key($1) AND path = $1 AND size_bytes = $2 AND modified_at = $3`;

export class SeenPictures implements PictureDigests {
  readonly #session: IngestSession;
  readonly #lines: CopiedLines;
  /** False for most runs, which have no local pictures: then nobody has to ask. */
  readonly #isAnyKnown: boolean;
  #count = 0;

  private constructor(session: IngestSession, isAnyKnown: boolean) {
    this.#session = session;
    this.#lines = new CopiedLines(session, copySeenPictures);
    this.#isAnyKnown = isAnyKnown;
  }

  /** Requires the staging tables of an import. */
  static async open(session: IngestSession): Promise<SeenPictures> {
    return new SeenPictures(session, await session.is('SELECT EXISTS (SELECT 1 FROM pictures) AS found'));
  }

  async find(path: string, sizeBytes: number, changedAt: number): Promise<string | null> {
    if (!this.#isAnyKnown) return null;
    const found = await this.#session.rows<{ digest: string }>(findDigest, path, sizeBytes, changedAt);
    return found[0]?.digest ?? null;
  }

  async note(path: string, sizeBytes: number, changedAt: number, digest: string): Promise<void> {
    this.#count += 1;
    await this.#lines.add(copyLine(this.#count, path, sizeBytes, changedAt, digest));
  }

  /** Resolves when all noted digests are staged. */
  save(): Promise<void> {
    return this.#lines.end();
  }
}
