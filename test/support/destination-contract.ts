/** What every place for the outputs of a run on several machines must do. */

import { createHash } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { DiskError } from '../../src/errors.ts';
import type { Destination, FileDigest } from '../../src/ports.ts';
import { temporaryFolder } from './temporary-folder.ts';

/** Above `smallParts.wholeMaxBytes`, in more than two parts. */
const largeBytes = 12 * 2 ** 20 + 7;

/** Parts as small as services accept them. */
export const smallParts = { wholeMaxBytes: 6 * 2 ** 20, partBytes: 5 * 2 ** 20 } as const;

export interface OpenDestination extends AsyncDisposable {
  readonly destination: Destination;
  /** The bytes at this path by another client; null where there are none. */
  readBeside?(path: string): Promise<Buffer | null>;
}

/** Bytes that differ everywhere, so that a piece in the wrong place is seen. */
export function noise(length: number, seed = 1): Buffer {
  const bytes = Buffer.alloc(length);
  let state = seed;
  for (let at = 0; at < length; at++) {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
    bytes[at] = state >> 16;
  }
  return bytes;
}

export function digestOf(bytes: Uint8Array): FileDigest {
  return { sizeBytes: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') };
}

export async function put(destination: Destination, path: string, bytes: Uint8Array): Promise<void> {
  await using folder = await temporaryFolder();
  const file = join(folder.path, 'file');
  await writeFile(file, bytes);
  await destination.put(file, path, digestOf(bytes));
}

export async function readAll(destination: Destination, path: string): Promise<Buffer | null> {
  await using found = await destination.read(path);
  if (found === null) return null;
  const pieces: Uint8Array[] = [];
  for await (const bytes of found.body) pieces.push(bytes);
  const all = Buffer.concat(pieces);
  expect(all.length).toBe(found.sizeBytes);
  return all;
}

export async function listAll(destination: Destination, prefix = ''): Promise<string[]> {
  const paths: string[] = [];
  for await (const { path } of destination.list(prefix)) paths.push(path);
  return paths.sort();
}

const names = [
  'q1/attempt-1/video.mp4',
  '题-1/attempt-2/frames/001.png',
  'a b+c%20d(e)!*=~/attempt-1/task.json',
];

export function describeDestination(name: string, open: () => Promise<OpenDestination>): void {
  describe(name, () => {
    it('has what was put there, whole, under any name', async () => {
      await using place = await open();
      const { destination } = place;
      for (const [at, path] of names.entries()) {
        const bytes = noise(100_000 + at, at + 1);
        await put(destination, path, bytes);
        expect(await destination.inspect(path)).toEqual(digestOf(bytes));
        expect((await destination.stat(path))?.sizeBytes).toBe(bytes.length);
        expect(bytes.equals((await readAll(destination, path)) ?? Buffer.alloc(0))).toBe(true);
        expect(bytes.equals((await place.readBeside?.(path)) ?? bytes)).toBe(true);
      }
      expect(await listAll(destination)).toEqual([...names].sort());
      expect(await listAll(destination, 'q1/')).toEqual(['q1/attempt-1/video.mp4']);
    });

    it('has nothing where nothing was put', async () => {
      await using place = await open();
      const { destination } = place;
      expect(await destination.stat('q1/attempt-1/video.mp4')).toBeNull();
      expect(await destination.inspect('q1/attempt-1/video.mp4')).toBeNull();
      expect(await destination.read('q1/attempt-1/video.mp4')).toBeNull();
      expect(await listAll(destination)).toEqual([]);
    });

    it('replaces a file whole, and takes an empty one', async () => {
      await using place = await open();
      const { destination } = place;
      for (const bytes of [noise(50_000), noise(10), Buffer.alloc(0), noise(70_000)]) {
        await put(destination, 'report.csv', bytes);
        expect(await destination.inspect('report.csv')).toEqual(digestOf(bytes));
      }
      expect(await listAll(destination)).toEqual(['report.csv']);
    });

    it('takes a large file', async () => {
      await using place = await open();
      const { destination } = place;
      const bytes = noise(largeBytes);
      await put(destination, 'q1/attempt-1/video.mp4', bytes);
      expect(await destination.inspect('q1/attempt-1/video.mp4')).toEqual(digestOf(bytes));
      expect(bytes.equals((await readAll(destination, 'q1/attempt-1/video.mp4')) ?? Buffer.alloc(0))).toBe(
        true,
      );
      expect(bytes.equals((await place.readBeside?.('q1/attempt-1/video.mp4')) ?? bytes)).toBe(true);
    });

    it.each([1_000, largeBytes])(
      'shows nothing of a file of %i bytes that is not the announced one',
      async (length) => {
        await using place = await open();
        await using folder = await temporaryFolder();
        const { destination } = place;
        const file = join(folder.path, 'file');
        await writeFile(file, noise(length));
        for (const wrong of [noise(length, 2), noise(length + 1), noise(length - 1)]) {
          const failed = destination.put(file, 'q1/attempt-1/video.mp4', digestOf(wrong));
          await expect(failed).rejects.toThrow(DiskError);
        }
        expect(await listAll(destination)).toEqual([]);
      },
    );

    it('can be tried without a trace', async () => {
      await using place = await open();
      await place.destination.checkWritable();
      expect(await listAll(place.destination)).toEqual([]);
    });

    it('gives links that need no key, where it has links', async () => {
      await using place = await open();
      const { destination } = place;
      const bytes = noise(5_000);
      for (const path of names) {
        await put(destination, path, bytes);
        const link = await destination.signedLink(path, 60);
        if (link === null) continue;
        const answer = await fetch(link);
        expect(answer.status).toBe(200);
        expect(bytes.equals(Buffer.from(await answer.arrayBuffer()))).toBe(true);
        expect((await fetch(link.replace('X-Amz-Signature=', 'X-Amz-Signature=0'))).status).toBe(403);
      }
    });
  });
}
