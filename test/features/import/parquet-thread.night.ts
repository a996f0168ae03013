/** Parquet files with one flipped byte: each is read or refused in one line, in bounded time. */

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parquetWriteBuffer } from 'hyparquet-writer';
import { describe, expect, it } from 'vitest';
import { readParquetFile } from '../../../src/features/import/parquet-thread.ts';
import { createProblems } from '../../../src/input/read-problems.ts';
import { startProgram } from '../../cli/support/program.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const fileCount = 200;
const rowCount = 400;

const whole = Buffer.from(
  parquetWriteBuffer({
    columnData: [
      { name: 'problem', data: Array.from({ length: rowCount }, (_, at) => `求 ${at}`), type: 'STRING' },
      { name: 'level', data: Array.from({ length: rowCount }, (_, at) => `Level ${at % 5}`), type: 'STRING' },
      { name: 'id', data: Array.from({ length: rowCount }, (_, at) => BigInt(at)), type: 'INT64' },
    ],
    rowGroupSize: [150],
  }),
);

function flipped(place: number, bit: number): Buffer {
  const bytes = Buffer.from(whole);
  bytes[place] = (bytes[place] ?? 0) ^ (1 << bit);
  return bytes;
}

/** With this bit the library counts for years. */
const endless = { place: 3_355, bit: 5 };

describe('a Parquet file', { timeout: 900_000 }, () => {
  it('is read by the program', async () => {
    await using folder = await temporaryFolder();
    await writeFile(join(folder.path, 'train.parquet'), whole);
    const ending = await startProgram(['check', 'train.parquet'], { cwd: folder.path }).ended;
    expect(ending).toMatchObject({ code: 0, stdout: expect.stringContaining(`${rowCount} to submit`) });
  });

  it(`with one flipped byte is read or refused in one line, ${fileCount} times`, async () => {
    await using folder = await temporaryFolder();
    const file = join(folder.path, 'train.parquet');
    let refused = 0;
    for (let at = 0; at < fileCount; at += 1) {
      // Spread over the file and over the values of a byte.
      const place = Math.floor(((at + 0.5) * (whole.length - 8)) / fileCount);
      await writeFile(file, flipped(place, at % 8));
      const problems = createProblems();
      let rows = 0;
      const order = { file, sizeBytes: whole.length, overrides: {} };
      for await (const page of readParquetFile({ ...order, problems, silenceMs: 3_000 }).pages)
        rows += page.rows.length;
      if (problems.count > 0) {
        if (refused === 0) {
          const ending = await startProgram(['check', file], { cwd: folder.path }).ended;
          expect(ending).toMatchObject({ code: 2, stdout: '' });
          expect(ending.stderr).toMatch(/^batch: .*train\.parquet: .*\n$/m);
        }
        refused += 1;
      }
      if (problems.count === 0) expect(rows, `flip ${at}`).toBe(rowCount);
      expect(
        problems.list().map(({ message }) => message.split('\n').length),
        `flip ${at}`,
      ).toEqual(problems.count > 0 ? [1] : []);
    }
    expect(refused).toBeGreaterThan(0);
  });

  it('that cannot be read to an end is given up', async () => {
    await using folder = await temporaryFolder();
    const file = join(folder.path, 'train.parquet');
    await writeFile(file, flipped(endless.place, endless.bit));
    const problems = createProblems();
    const order = { file, sizeBytes: whole.length, overrides: {}, problems, silenceMs: 1_000 };
    await Array.fromAsync(readParquetFile(order).pages);
    expect(problems.list().map(({ message }) => message)).toEqual([
      'the Parquet file is damaged or of an unknown kind: reading it comes to no end',
    ]);
  });
});
