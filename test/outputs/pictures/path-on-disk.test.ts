import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { lookAtPicture } from '../../../src/outputs/pictures/local-images.ts';
import { pathOnDisk, pictureOnDisk } from '../../../src/outputs/pictures/path-on-disk.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { pictures } from '../../support/workbook.ts';

const composed = 'Ti\u1ec7p.png';
const decomposed = composed.normalize('NFD');
/** One accent in the letter, one behind it. */
const mixed = 'Ti\u00ea\u0323p.png';

async function folderWith(...names: readonly string[]) {
  const folder = await temporaryFolder();
  for (const name of names) {
    const path = join(folder.path, name);
    await mkdir(join(path, '..'), { recursive: true });
    await writeFile(path, pictures.other(name));
  }
  return folder;
}

// Elsewhere file systems do not distinguish such names.
describe.runIf(process.platform === 'linux')('a file on the disk', () => {
  it.each([
    [composed, decomposed],
    [decomposed, composed],
    [composed, mixed],
    [`\u00fcber/${composed}`, `u\u0308ber/${decomposed}`],
    [`\u00fcber/a.png`, `u\u0308ber/a.png`],
    [`u\u0308ber/${composed}`, `u\u0308ber/${decomposed}`],
  ])('is found under the name that it has there: %j is %j', async (written, there) => {
    await using folder = await folderWith(there, 'other.png');
    expect(pathOnDisk(join(folder.path, written))).toBe(join(folder.path, there));
    expect(await lookAtPicture(join(folder.path, written))).toEqual({
      flaw: null,
      sizeBytes: pictures.other(there).length,
    });
  });

  it('is the one of exactly this name where there are two', async () => {
    await using folder = await folderWith(composed, decomposed);
    for (const name of [composed, decomposed])
      expect(pathOnDisk(join(folder.path, name))).toBe(join(folder.path, name));
  });

  it.each([
    ['two others look the same', [composed, decomposed]],
    ['there is none', ['other.png']],
  ])('is not guessed where %s', async (_, there) => {
    await using folder = await folderWith(...there);
    expect(pathOnDisk(join(folder.path, mixed))).toBe(join(folder.path, mixed));
    expect(await lookAtPicture(join(folder.path, mixed))).toBeNull();
  });

  it('is not looked for in a folder that is not there, nor next to a path without a folder', () => {
    for (const path of [`/nowhere-\u00e9/${composed}`, composed, 'plain.png'])
      expect(pathOnDisk(path)).toBe(path);
  });
});

describe('a picture whose name is escaped as in an address', () => {
  it.each([
    ['fig%201.png', 'fig 1.png'],
    ['a%20b/fig%201.png', 'a b/fig 1.png'],
    ['a%20b/fig%201.png', 'a%20b/fig 1.png'],
    ['a%20b/fig 1.png', 'a b/fig 1.png'],
    ['100%/fig%201.png', '100%/fig 1.png'],
    ['50%25.png', '50%.png'],
    ['%E5%9B%BE1.png', '\u56fe1.png'],
  ])('is found: %j is %j', async (written, there) => {
    await using folder = await folderWith(there, 'other.png');
    expect(pictureOnDisk(join(folder.path, written))).toBe(join(folder.path, there));
    expect(pathOnDisk(join(folder.path, written))).toBe(join(folder.path, written));
    expect(await lookAtPicture(join(folder.path, written))).not.toBeNull();
  });

  it.runIf(process.platform === 'linux')('is found whichever way its letters are composed', async () => {
    await using folder = await folderWith(decomposed);
    const written = join(folder.path, encodeURIComponent(composed));
    expect(pictureOnDisk(written)).toBe(join(folder.path, decomposed));
  });

  it('is the one with the name as it is written where there is one', async () => {
    await using folder = await folderWith('fig%201.png', 'fig 1.png');
    expect(pictureOnDisk(join(folder.path, 'fig%201.png'))).toBe(join(folder.path, 'fig%201.png'));
  });

  it.each([
    '%2e%2e/other.png',
    '..%2fother.png',
    '..%5Cother.png',
    'in/%2E%2E%2Fother.png',
    'other.png%00',
    '%zz.png',
  ])('leads into no other folder: %s', async (written) => {
    await using folder = await folderWith('other.png', 'in/a.png');
    expect(pictureOnDisk(join(folder.path, 'in', written))).toBe(join(folder.path, 'in', written));
    expect(await lookAtPicture(`${folder.path}/in/${written}`)).toBeNull();
  });
});
