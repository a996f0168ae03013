import { mkdir, readdir, readFile, rename, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { DiskError, ItemFilesError } from '../../src/errors.ts';
import { openFolderDestination } from '../../src/outputs/folder-destination.ts';
import { describeDestination, digestOf, listAll, put } from '../support/destination-contract.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { bytes, listFiles } from './tree.ts';

const open = (folder: string, worker = 'worker') => openFolderDestination(folder, { worker, now: Date.now });

describeDestination('a folder that all machines see', async () => {
  const folder = await temporaryFolder();
  return {
    destination: await open(folder.path),
    readBeside: (path) => readFile(join(folder.path, path)),
    [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose](),
  };
});

it('removes what this worker left when it was killed, and nothing of others', async () => {
  await using folder = await temporaryFolder();
  const [mine, other] = [await open(folder.path, 'mine'), await open(folder.path, 'other')];
  await put(mine, 'q1/attempt-1/video.mp4', bytes('whole'));
  const leave = async (worker: string): Promise<string> => {
    // The names that a copy really has, seen while it fails.
    const before = await readdir(join(folder.path, 'q1/attempt-1'));
    const file = join(folder.path, `file of ${worker}`);
    await writeFile(file, bytes('received'));
    const destination = worker === 'mine' ? mine : other;
    const failed = destination.put(file, 'q1/attempt-1/video.mp4', digestOf(bytes('other')));
    const during = await readdir(join(folder.path, 'q1/attempt-1'));
    await expect(failed).rejects.toThrow(DiskError);
    const [name = ''] = during.filter((each) => !before.includes(each));
    await writeFile(join(folder.path, 'q1/attempt-1', name), 'half');
    return name;
  };
  const [own, foreign] = [await leave('mine'), await leave('other')];
  expect(await listAll(mine, 'q1/')).toEqual(['q1/attempt-1/video.mp4']);
  await mine.clearUnfinished('q1/attempt-1/video.mp4');
  const left = await readdir(join(folder.path, 'q1/attempt-1'));
  expect(left).not.toContain(own);
  expect(left.sort()).toEqual([foreign, 'video.mp4'].sort());
});

it('never writes through a link, nor into another folder in its place', async () => {
  await using folder = await temporaryFolder();
  await mkdir(join(folder.path, 'outside'));
  const out = join(folder.path, 'out');
  const destination = await open(out);
  await symlink(join(folder.path, 'outside'), join(out, 'q1'));
  await expect(put(destination, 'q1/attempt-1/video.mp4', bytes('video'))).rejects.toThrow(ItemFilesError);
  await expect(put(destination, '../outside/video.mp4', bytes('video'))).rejects.toThrow(ItemFilesError);
  await rename(out, `${out}-moved`);
  await mkdir(out);
  expect(() => destination.check()).toThrow(DiskError);
  await expect(put(destination, 'q2/attempt-1/video.mp4', bytes('video'))).rejects.toThrow(DiskError);
  expect(await listFiles(join(folder.path, 'outside'))).toEqual([]);
});

it.each([
  ['a file', (out: string) => writeFile(out, 'no folder')],
  ['another folder', (out: string) => mkdir(join(out, 'other'), { recursive: true })],
])(
  'stops for all items when %s takes its place, even under the number of the removed folder',
  async (_, replace) => {
    await using folder = await temporaryFolder();
    const out = join(folder.path, 'out');
    const destination = await open(out);
    // Until its last change is another tick of the clock than its birth.
    for (let i = 1; (await stat(out)).birthtimeMs === (await stat(out)).ctimeMs; i += 1)
      await put(destination, `q${i}/attempt-1/video.mp4`, bytes('video'));
    destination.check();
    await rm(out, { recursive: true });
    await replace(out);
    expect(() => destination.check()).toThrow(DiskError);
    await expect(put(destination, 'q2/attempt-1/video.mp4', bytes('video'))).rejects.toThrow(DiskError);
  },
);
