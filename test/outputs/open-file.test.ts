import fs from 'node:fs';
import { readFile } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { openFlags } from '../../src/outputs/guarded-disk.ts';
import { OpenFile } from '../../src/outputs/open-file.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const { write, writev } = fs;

afterEach(() => {
  Object.assign(fs, { write, writev });
  syncBuiltinESMExports();
});

/** The system takes no more than so many bytes of each step. */
function takeAtMost(count: number): void {
  const short: Work = (file, given, position, told) =>
    writev(file, [Buffer.concat(given).subarray(0, count)], position, told);
  fs.writev = short as typeof fs.writev;
  syncBuiltinESMExports();
}

type Work = (
  file: number,
  pieces: readonly Uint8Array[],
  position: number,
  told: (error: NodeJS.ErrnoException | null, count: number) => void,
) => void;

const pieces = ['one', 'twenty', '', 'three hundred'].map((text) => Buffer.from(text));

it.each([0, 1, 3, 5, 9, 21, 22, 100])(
  'pieces are written whole where the system takes %i bytes at first',
  async (count) => {
    await using folder = await temporaryFolder();
    const path = join(folder.path, 'file');
    takeAtMost(count);
    {
      using file = new OpenFile(path, openFlags.create);
      await file.write(Buffer.from('start '), 0);
      await file.writeAll(pieces, 6);
    }
    expect(await readFile(path, 'utf8')).toBe('start onetwentythree hundred');
  },
);

it.each([1, 5])('bytes are written whole where the system takes %i of them at a time', async (count) => {
  await using folder = await temporaryFolder();
  const path = join(folder.path, 'file');
  fs.write = ((file: number, bytes: Uint8Array, from: number, _length: number, ...rest: [number, never]) =>
    write(file, bytes, from, Math.min(count, bytes.length), ...rest)) as typeof write;
  syncBuiltinESMExports();
  {
    using file = new OpenFile(path, openFlags.create);
    await file.write(Buffer.from('a few bytes'), 0);
  }
  expect(await readFile(path, 'utf8')).toBe('a few bytes');
});
