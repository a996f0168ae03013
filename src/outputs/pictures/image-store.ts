/**
 * Local images of a run on several machines. The machine that imports the file stores each image among the outputs, once,
 * under its SHA-256; any worker reads it from there.
 */

import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { UsageError } from '../../errors.ts';
import { tooLarge } from '../../files/image-size.ts';
import { keptPath } from '../../files/output-paths.ts';
import { pictureError } from '../../files/picture-flaw.ts';
import { message } from '../../messages/message.ts';
import type { Destination, ImageFiles } from '../../ports.ts';

/** Images stored at once: enough to hide the time of a request. */
const atOnce = 8;

/** Stores images that are not there yet; `paths` by SHA-256. Throws `UsageError` where one has changed meanwhile. */
export async function storeImages(
  destination: Pick<Destination, 'stat' | 'put'>,
  paths: ReadonlyMap<string, string>,
): Promise<void> {
  const images = paths.entries();
  const lane = async (): Promise<void> => {
    for (const [sha256, path] of images)
      if ((await destination.stat(keptPath(sha256))) === null) await storeImage(destination, path, sha256);
  };
  await Promise.all(Array.from({ length: atOnce }, lane));
}

/** Reads stored images. `digestsOf` gives the SHA-256 with which the images at these paths were imported. */
export function createStoredImages(
  destination: Pick<Destination, 'read'>,
  digestsOf: (paths: readonly string[]) => Promise<ReadonlyMap<string, string>>,
): ImageFiles {
  /** `name` is for messages. */
  const readStored = async (sha256: string | null, name: string, maxBytes: number): Promise<Uint8Array> => {
    await using found = sha256 === null ? null : await destination.read(keptPath(sha256));
    if (found === null) throw pictureError(name, message('picture.not-stored'));
    const flaw = tooLarge(found.sizeBytes, maxBytes);
    if (flaw !== null) throw pictureError(name, flaw);
    const pieces: Uint8Array[] = [];
    for await (const bytes of found.body) pieces.push(bytes);
    const bytes = Buffer.concat(pieces);
    if (createHash('sha256').update(bytes).digest('hex') !== sha256)
      throw new Error(message('row.damaged-image', { image: name }).text);
    return bytes;
  };
  return {
    read: async (path, maxBytes = Number.POSITIVE_INFINITY) =>
      readStored((await digestsOf([path])).get(path) ?? null, path, maxBytes),
    readKept: (sha256, maxBytes = Number.POSITIVE_INFINITY) => readStored(sha256, keptPath(sha256), maxBytes),
  };
}

async function storeImage(
  destination: Pick<Destination, 'put'>,
  path: string,
  sha256: string,
): Promise<void> {
  const changed = new UsageError(message('output.picture-changed', { path }));
  const hash = createHash('sha256');
  try {
    for await (const bytes of createReadStream(path)) hash.update(bytes);
  } catch (error) {
    throw new UsageError(message('output.picture-gone', { path }), error);
  }
  if (hash.digest('hex') !== sha256) throw changed;
  const { size } = await stat(path);
  await destination.put(path, keptPath(sha256), { sizeBytes: size, sha256 });
}
