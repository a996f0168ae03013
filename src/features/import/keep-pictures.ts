/** Keeps the pictures of a workbook with the run, so that it continues without the workbook, and on other machines. */

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { StoreImages } from '../../app/run-handles.ts';
import type { Media } from '../../input/workbook/media.ts';
import type { PictureStore } from '../../ports.ts';

/** One at a time: in the folder of the run, or with `storeImages` where machines share it. */
export async function keepPictures(
  media: Media,
  kept: PictureStore,
  storeImages: StoreImages | null,
): Promise<void> {
  if (storeImages === null) {
    const isKept = async ({ sha256, sizeBytes }: { sha256: string; sizeBytes: number }): Promise<boolean> =>
      (await kept.sizeOf(sha256)) === sizeBytes;
    for await (const { sha256, bytes } of media.pictures(isKept)) await kept.keep(sha256, bytes);
    return;
  }
  const folder = await mkdtemp(join(tmpdir(), 'batch-pictures-'));
  try {
    for await (const { sha256, bytes } of media.pictures()) {
      const path = join(folder, 'picture');
      await writeFile(path, bytes);
      await storeImages(new Map([[sha256, path]]));
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
