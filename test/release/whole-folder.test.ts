import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { writeWholeFolder } from '../../src/release/whole-folder.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

it('a folder is as a whole what was made last, without what was there before or was left by a broken one', async () => {
  await using place = await temporaryFolder();
  const folder = join(place.path, 'release');
  await mkdir(`${folder}.part`);
  await writeFile(join(`${folder}.part`, 'left'), '');
  for (const name of ['one', 'two'])
    await writeWholeFolder(folder, (part) => writeFile(join(part, name), name));
  expect(await readdir(folder)).toEqual(['two']);
  expect(await readdir(place.path)).toEqual(['release']);
});

it('a step that fails leaves the folder as it was, and no part of a new one', async () => {
  await using place = await temporaryFolder();
  const folder = join(place.path, 'release');
  const fail = async (part: string): Promise<void> => {
    await writeFile(join(part, 'file'), 'half');
    throw new Error('no network');
  };
  await expect(writeWholeFolder(folder, fail)).rejects.toThrow('no network');
  expect(await readdir(place.path)).toEqual([]);
  await writeWholeFolder(folder, (part) => writeFile(join(part, 'file'), 'whole'));
  await expect(writeWholeFolder(folder, fail)).rejects.toThrow('no network');
  expect(await readdir(place.path)).toEqual(['release']);
  expect(await readFile(join(folder, 'file'), 'utf8')).toBe('whole');
});
