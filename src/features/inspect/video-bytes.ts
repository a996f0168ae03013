/** Reaches the bytes of saved videos: in the folder, or through a file of this machine where they are in a bucket. */

import { createWriteStream, lstatSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { isBucketAddress } from '../../app/files/bucket-address.ts';
import type { OpenRun } from '../../app/run-handles.ts';
import type { SavedFile } from '../../money/item.ts';

export interface VideoBytes extends AsyncDisposable {
  /** Gives the path of a local file with these bytes (absolute), as long as the work takes. Null where there is none. */
  withLocal<T>(file: SavedFile, work: (path: string) => Promise<T>): Promise<T | null>;
}

export async function openVideoBytes({ invocation }: Pick<OpenRun, 'invocation'>): Promise<VideoBytes> {
  if (isBucketAddress(invocation.out)) return openBucketVideos(invocation);
  return {
    async withLocal({ path, sizeBytes }, work) {
      const file = join(invocation.out, path);
      const found = lstatSync(file, { throwIfNoEntry: false });
      return found?.isFile() === true && found.size === sizeBytes ? work(file) : null;
    },
    [Symbol.asyncDispose]: async () => {},
  };
}

/** One video at a time is on the disk of this machine. */
async function openBucketVideos(invocation: OpenRun['invocation']): Promise<VideoBytes> {
  const { openDestination, outputsPlace } = await import('../../app/outputs.ts');
  const folder = await mkdtemp(join(tmpdir(), 'batch-video-'));
  const destination = await openDestination(outputsPlace(invocation, folder));
  return {
    async withLocal({ path }, work) {
      const found = await destination.read(path);
      if (found === null) return null;
      await using remote = found;
      const file = join(folder, `video${extname(path)}`);
      try {
        await pipeline(Readable.from(remote.body), createWriteStream(file));
        return await work(file);
      } finally {
        await rm(file, { force: true });
      }
    },
    async [Symbol.asyncDispose]() {
      destination.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
