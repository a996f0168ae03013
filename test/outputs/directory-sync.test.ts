import fs from 'node:fs';
import { mkdir, rename, rm } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { join, relative } from 'node:path';
import { expect, it } from 'vitest';
import { DiskError, ItemFilesError } from '../../src/errors.ts';
import { FolderSyncs } from '../../src/outputs/directory-sync.ts';
import { openFileOutputTree } from '../../src/outputs/file-output-tree.ts';
import { makeFolder } from '../../src/outputs/guarded-disk.ts';
import { SyncBeat } from '../../src/outputs/sync-beat.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

/** A folder, and the folders in it that were synced, in order; `.` is the folder itself. */
async function openPlace() {
  const folder = await temporaryFolder();
  const { openSync, fsync } = fs;
  const synced: string[] = [];
  const names = new Map<number, string>();
  let isIll = false;
  fs.openSync = (path, ...rest) => {
    const number = openSync(path, ...rest);
    names.set(number, relative(folder.path, String(path)) || '.');
    return number;
  };
  fs.fsync = ((file, told) => {
    if (isIll) {
      setImmediate(told, Object.assign(new Error('refused'), { code: 'EIO' }));
      return;
    }
    synced.push(names.get(file) ?? 'unknown');
    fsync(file, told);
  }) as typeof fsync;
  syncBuiltinESMExports();
  return {
    root: folder.path,
    syncs: new FolderSyncs(new SyncBeat()),
    /** What was synced since this was asked last. */
    synced: () => synced.splice(0).sort(),
    /** From here on the disk refuses every sync, or none. */
    fallIll: (ill = true) => {
      isIll = ill;
    },
    async [Symbol.asyncDispose]() {
      Object.assign(fs, { openSync, fsync });
      syncBuiltinESMExports();
      await folder[Symbol.asyncDispose]();
    },
  };
}

it('syncs a folder once for all that was done in it together', async () => {
  await using place = await openPlace();
  makeFolder(place.root, ['q1', 'frames']);
  const all = [['q1', 'frames'], ['q1', 'frames'], ['q1']];
  await Promise.all(all.map((folders) => place.syncs.syncNames(place.root, folders)));
  expect(place.synced()).toEqual(['.', 'q1', 'q1/frames']);
});

it('syncs the names of folders that an earlier process may not have come to sync', async () => {
  await using place = await openPlace();
  await mkdir(join(place.root, 'q1/frames'), { recursive: true });
  makeFolder(place.root, ['q1', 'frames']);
  await place.syncs.syncNames(place.root, ['q1', 'frames']);
  expect(place.synced()).toEqual(['.', 'q1', 'q1/frames']);
});

it('syncs the name of a folder once, and again after another has taken its place', async () => {
  await using place = await openPlace();
  const save = async (): Promise<readonly string[]> => {
    makeFolder(place.root, ['q1', 'frames'], place.syncs);
    makeFolder(place.root, ['q1', 'frames'], place.syncs);
    await place.syncs.syncNames(place.root, ['q1', 'frames']);
    return place.synced();
  };
  expect(await save()).toEqual(['.', 'q1', 'q1/frames']);
  expect(await save()).toEqual(['q1/frames']);
  await rename(join(place.root, 'q1/frames'), join(place.root, 'q1/moved'));
  await mkdir(join(place.root, 'q1/frames'));
  expect(await save()).toEqual(['q1', 'q1/frames']);
  await rename(join(place.root, 'q1'), join(place.root, 'moved'));
  expect(await save()).toEqual(['.', 'q1', 'q1/frames']);
});

it('counts nothing as synced that the disk refused to sync', async () => {
  await using place = await openPlace();
  for (let times = 0; times < 2; times++) makeFolder(place.root, ['q1'], place.syncs);
  place.fallIll();
  await expect(place.syncs.syncNames(place.root, ['q1'])).rejects.toThrow('refused');
  place.fallIll(false);
  await place.syncs.syncNames(place.root, ['q1']);
  expect(place.synced()).toEqual(['.', 'q1']);
});

it('says of a folder that was moved away meanwhile that only its item is concerned', async () => {
  await using place = await openPlace();
  makeFolder(place.root, ['q1']);
  await rm(join(place.root, 'q1'), { recursive: true });
  await expect(place.syncs.syncNames(place.root, ['q1'])).rejects.toThrow(ItemFilesError);
});

it('continues with no part that the disk refused to sync: the system takes it for written', async () => {
  await using place = await openPlace();
  const tree = await openFileOutputTree(place.root, Date.now);
  const part = await tree.openPart('q1/video');
  await part.restart('"v1"');
  await part.append(Buffer.from('all of it'));
  place.fallIll();
  await expect(part.commit('q1/video.mp4')).rejects.toThrow(DiskError);
  await part[Symbol.asyncDispose]();
  place.fallIll(false);
  await using again = await tree.openPart('q1/video');
  expect(again).toMatchObject({ sizeBytes: 0, validator: null });
});
