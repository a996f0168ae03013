import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { UsageError } from '../../../src/errors.ts';
import { openFolderDestination } from '../../../src/outputs/folder-destination.ts';
import { createStoredImages, storeImages } from '../../../src/outputs/pictures/image-store.ts';
import { digestOf, listAll, noise, put } from '../../support/destination-contract.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

async function openPlace() {
  const folder = await temporaryFolder();
  const destination = await openFolderDestination(join(folder.path, 'out'), { worker: 'w', now: Date.now });
  const paths = new Map<string, string>();
  const digests = new Map<string, string>();
  const draw = async (name: string, bytes: Uint8Array): Promise<string> => {
    const path = join(folder.path, name);
    await writeFile(path, bytes);
    paths.set(digestOf(bytes).sha256, path);
    digests.set(path, digestOf(bytes).sha256);
    return path;
  };
  const images = createStoredImages(destination, async () => digests);
  return { destination, paths, draw, images, [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose]() };
}

it('an image is stored once, and read by the digest with which it was imported', async () => {
  await using place = await openPlace();
  const all = Array.from({ length: 30 }, (_, at) => noise(1_000 + at, at + 1));
  const drawn = await Promise.all(all.map((bytes, at) => place.draw(`${at}.png`, bytes)));
  await place.draw('same as 3.png', all[3] ?? noise(1));
  await storeImages(place.destination, place.paths);
  expect(await listAll(place.destination)).toEqual(
    all.map((bytes) => `images/${digestOf(bytes).sha256}`).sort(),
  );
  // What is there is not read again: its file may be gone, or another by now.
  await writeFile(drawn[5] ?? '', 'another');
  await storeImages(place.destination, place.paths);
  for (const [at, path] of drawn.entries()) expect(await place.images.read(path)).toEqual(all[at]);
});

it('an image that changed since the file was read is not stored, and nothing is imported', async () => {
  await using place = await openPlace();
  const path = await place.draw('a.png', noise(1_000));
  await writeFile(path, noise(1_000, 2));
  await expect(storeImages(place.destination, place.paths)).rejects.toThrow(UsageError);
  await expect(storeImages(place.destination, place.paths)).rejects.toThrow(
    'a.png changed after it was read',
  );
  expect(await listAll(place.destination)).toEqual([]);
});

it('an image that is unknown, missing, damaged or too large is refused', async () => {
  await using place = await openPlace();
  const path = await place.draw('a.png', noise(1_000));
  await expect(place.images.read('/b.png')).rejects.toThrow('/b.png is not stored with the run');
  await expect(place.images.read(path)).rejects.toThrow('a.png is not stored with the run');
  await storeImages(place.destination, place.paths);
  await expect(place.images.read(path, 999)).rejects.toThrow('a.png');
  expect(await place.images.read(path, 1_000)).toEqual(noise(1_000));
  await put(place.destination, `images/${digestOf(noise(1_000)).sha256}`, noise(1_000, 2));
  await expect(place.images.read(path)).rejects.toThrow('a.png is damaged where it is stored');
});
