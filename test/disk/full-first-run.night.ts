/** A first run on a disk that is full, fills up at its start, or has no room for one file: real file systems of a few megabytes. */

import { spawnSync } from 'node:child_process';
import { mkdirSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { clip, type FileRequest, type Reply } from '../cli/support/scripted-service.ts';
import { openStage, questions, runLine } from '../cli/support/stage.ts';

/** Mounts a small disk; null where that may not be done. */
function mountDisk(folder: string, megabytes: number): Disposable | null {
  mkdirSync(folder);
  const { status } = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', folder]);
  if (status !== 0) return null;
  return { [Symbol.dispose]: () => void spawnSync('umount', ['-l', folder]) };
}

const mayMount = ((): boolean => {
  const place = `/tmp/batch-test-mount-${process.pid}`;
  using disk = mountDisk(place, 1);
  const isMounted = disk !== null;
  disk?.[Symbol.dispose]();
  rmSync(place, { recursive: true, force: true });
  return isMounted;
})();

describe.skipIf(!mayMount)('a first run', { timeout: 180_000 }, () => {
  it.for([0, 8, 24, 64, 96, 200])(
    'with room for %i kB ends with exit 4, and the same line works once there is more',
    async (kilobytes) => {
      await using stage = await openStage();
      const ids = Array.from({ length: 300 }, (_, at) => `q${at}`);
      await stage.write('q.csv', questions(...ids.map((id) => `${id}-of-a-long-name-that-takes-its-room`)));
      using disk = mountDisk(join(stage.folder, 'disk'), 8);
      expect(disk).not.toBeNull();
      const filler = join(stage.folder, 'disk/filler');
      writeFileSync(filler, Buffer.alloc(8 * 2 ** 20 - kilobytes * 1024));
      const line = runLine('q.csv', '--out', 'disk/videos', '--limit', '2');
      const full = await stage.batch(line);
      expect(full, full.stderr).toMatchObject({ code: 4 });
      expect(full.stderr + full.stdout).toMatch(/full|I\/O|ENOSPC/);
      expect(full.stderr).not.toMatch(/bug in batch|\n\s+at /);
      truncateSync(filler, 0);
      const again = await stage.batch(line);
      expect(again, again.stderr).toMatchObject({ code: 4 });
      expect(again.stdout).toContain('--limit reached');
      expect(stage.service.taskIds.size).toBe(stage.service.creations.length);
      expect(stage.service.creations.length).toBeLessThanOrEqual(4);
    },
  );

  it.for([{ 'content-length': 40 * 2 ** 20 }, {}])(
    'with a file too large for its disk (%o) has all others, names it, and has it once there is room',
    async (length) => {
      const video = Buffer.concat([clip, Buffer.alloc(40 * 2 ** 20 - clip.length)]);
      const file = ({ question, name }: FileRequest): Reply | undefined =>
        question === 'Question b' && !name.startsWith('frame')
          ? (response) => response.writeHead(200, { ...length, etag: '"v1"' }).end(video)
          : undefined;
      await using stage = await openStage({ file });
      await stage.write('q.csv', questions('a', 'b', 'c', 'd'));
      using disk = mountDisk(join(stage.folder, 'videos'), 32);
      expect(disk).not.toBeNull();
      const line = runLine('q.csv');
      for (const _ of ['first', 'again']) {
        const ending = await stage.batch(line);
        expect(ending, ending.stderr).toMatchObject({ code: 1 });
        expect(ending.stdout).toMatch(/b\/video has .* MB, and the disk has room for .* MB/);
        const others = ['1 a completed', '3 c completed', '4 d completed'];
        expect((await stage.lines()).sort()).toEqual([...others, '2 b undelivered'].sort());
      }
      spawnSync('mount', ['-o', 'remount,size=64m', join(stage.folder, 'videos')]);
      const last = await stage.batch(line);
      expect(last, last.stderr).toMatchObject({ code: 0 });
      expect(stage.service.creations).toHaveLength(4);
    },
  );
});
