import { spawnSync } from 'node:child_process';
import { chmod, lstat, readFile, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { DiskError } from '../../src/errors.ts';
import { openFileOutputTree } from '../../src/outputs/file-output-tree.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { bytes, leavePart, listFiles, openTree, save, sha256 } from './tree.ts';

/** A disk of 256 KB in memory; null where this process may not mount one. */
async function smallDisk() {
  const folder = await temporaryFolder();
  const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=256k', 'batch-test', folder.path]);
  return {
    path: mounted.status === 0 ? folder.path : null,
    async [Symbol.asyncDispose]() {
      if (mounted.status === 0) spawnSync('umount', [folder.path]);
      await folder[Symbol.asyncDispose]();
    },
  };
}

it('a full disk stops the run, says what to do, and what was there stays; with space the part continues (needs to mount a small disk)', async ({
  skip,
}) => {
  await using disk = await smallDisk();
  if (disk.path === null) return skip('NOT TESTED: this process may not mount a small disk');
  const tree = await openFileOutputTree(disk.path, Date.now);
  await save(tree, 'q1/video', 'mp4', 'kept');
  await tree.writeWhole('report.csv', 'old');
  await writeFile(join(disk.path, 'ballast'), new Uint8Array(150_000));
  const text = 'x'.repeat(100_000);
  const fill = leavePart(tree, 'q2/video', text, '"v1"');
  await expect(fill).rejects.toThrow(DiskError);
  await expect(fill).rejects.toThrow(
    /^the disk of .* refused a write: ENOSPC.*; free space and run the same/,
  );
  await expect(tree.writeWhole('report.csv', text)).rejects.toThrow(DiskError);
  expect(await readFile(join(disk.path, 'report.csv'), 'utf8')).toBe('old');
  expect(await readFile(join(disk.path, 'q1/video.mp4'), 'utf8')).toBe('kept');
  await truncate(join(disk.path, 'ballast'));
  await using part = await tree.openPart('q2/video');
  expect(part.sizeBytes).toBe((await lstat(join(disk.path, 'q2/video.part'))).size);
  await part.append(bytes(text.slice(part.sizeBytes)));
  expect(await part.commit('q2/video.mp4')).toMatchObject({ sizeBytes: 100_000, sha256: sha256(text) });
  expect(await listFiles(disk.path)).toEqual(['ballast', 'q1/video.mp4', 'q2/video.mp4', 'report.csv']);
});

it.skipIf(process.getuid?.() === 0)(
  'an output folder that refuses new names stops the run (needs a user who is not root)',
  async () => {
    await using place = await openTree();
    await chmod(place.out, 0o500);
    await expect(place.tree.openPart('q1/video')).rejects.toThrow(DiskError);
    await expect(place.tree.createReport('report.csv')).rejects.toThrow(DiskError);
    await chmod(place.out, 0o700);
  },
);
