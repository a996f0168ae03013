/** Workbooks through the program: what leaves, what is kept, and what other files are told. */

import { createHash } from 'node:crypto';
import { readFile, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openStage, runLine } from '../../cli/support/stage.ts';
import { readBook } from '../../input/workbook/read-book.ts';
import { media, threeKinds } from '../../support/three-kinds.ts';
import { pictures, placedPicture, workbook } from '../../support/workbook.ts';

const [a, b, c] = media.map(({ bytes }) => bytes.toString('base64'));
const pathOf = (bytes: Uint8Array): string =>
  `videos/images/${createHash('sha256').update(bytes).digest('hex')}`;

describe.concurrent('a workbook', () => {
  it('is not paid for again as another kind of file, or with its rows and pictures elsewhere', async () => {
    await using stage = await openStage();
    await stage.write('q.xlsx', workbook(threeKinds));
    expect((await stage.batch(runLine('q.xlsx'))).code).toBe(1);
    const rows = [
      ['id', 'question', 'image'],
      ['009', 'three', placedPicture(1)],
      ['007', 'one', placedPicture(2)],
    ];
    await stage.write('again.xlsx', workbook({ media, placed: [1, 2], sheets: [{ rows }] }));
    const again = await stage.batch(runLine('again.xlsx', '--add'));
    expect(again.stdout + again.stderr).toContain('0 to submit');
    await stage.write('a.png', pictures.other('a'));
    await stage.write('q.csv', 'id,question,image\n009,three,a.png\n');
    expect((await stage.batch(['check', 'q.csv', '--add'])).stdout).toContain('0 to submit');
    expect(stage.service.creations).toHaveLength(3);
  });

  it('gives back the rows that ended badly as failed.xlsx, which is fed back with its pictures', async () => {
    await using stage = await openStage();
    await stage.write('q.xlsx', workbook(threeKinds));
    expect((await stage.batch(runLine('q.xlsx'))).code).toBe(1);
    const failed = await readBook(await readFile(join(stage.folder, 'videos/failed.xlsx')));
    expect(failed.rows.map(({ input }) => [Object.keys(input).at(-1), input.failure])).toEqual([
      ['failure', '题目!C6: the picture is not in the workbook any more; insert it again in WPS'],
    ]);
    const back = await stage.batch(['check', 'videos/failed.xlsx']);
    expect(back.stderr).toContain(
      'videos/failed.xlsx:2: 题目!C6: the picture is not in the workbook any more',
    );
    expect(back.stdout).toContain('0 to submit');
  });

  it('is never sent with a kept picture that is missing or changed', async () => {
    await using stage = await openStage();
    await stage.write('q.xlsx', workbook(threeKinds));
    expect((await stage.batch(runLine('q.xlsx', '--limit', '1'))).code).toBe(4);
    await unlink(join(stage.folder, pathOf(pictures.other('c'))));
    await writeFile(join(stage.folder, pathOf(pictures.other('a'))), pictures.other('x'));
    expect((await stage.batch(['resume'])).code).toBe(1);
    const failures = (await stage.report()).map(({ failure }) => failure);
    expect(failures.slice(1, 3)).toEqual([
      expect.stringContaining('a picture of the row, is missing; run the command again with the workbook'),
      expect.stringContaining('a picture of the row, was changed; delete it'),
    ]);
    expect(stage.service.creations).toHaveLength(1);
    await unlink(join(stage.folder, pathOf(pictures.other('a'))));
    expect((await stage.batch(runLine('q.xlsx'))).code).toBe(1);
    expect(stage.service.creations.map(({ body }) => body.questionImages)).toEqual([[b], [c], [a]]);
  });
});

const ole = Buffer.concat([Buffer.from('d0cf11e0a1b11ae1', 'hex'), Buffer.alloc(1_000)]);
const others: readonly [string, Uint8Array | string, RegExp][] = [
  ['old.xls', ole, /^old\.xls: this is an old Excel workbook \(\.xls\)/],
  ['wps.et', ole, /^wps\.et: this is a WPS sheet \(\.et\)/],
  ['old.doc', ole, /^old\.doc: this is an old Word document/],
  [
    'locked.xlsx',
    Buffer.concat([ole, Buffer.from('EncryptedPackage', 'utf16le')]),
    /the workbook is encrypted/,
  ],
  ['page.xls', '<html><table>', /this is no Excel workbook, in spite of its name/],
  ['cut.xlsx', workbook(threeKinds).subarray(0, 1_000), /the workbook is damaged: its end is missing/],
  ['pointer.xlsx', 'version https://git-lfs.github.com/spec/v1\n', /git lfs pull/],
  ['text.xlsx', 'question\nOne\n', /this is no Excel workbook, in spite of its name/],
  ['paper.pdf', '%PDF-1.7', /this is a PDF/],
];

describe.concurrent('a file that is no workbook', () => {
  it.for(others)('is named in one line: %s', async ([name, content, message]) => {
    await using stage = await openStage();
    await stage.write(name, content);
    const { code, stderr, stdout } = await stage.batch(['check', name]);
    const lines = stderr
      .trimEnd()
      .split('\n')
      .filter((line) => !line.startsWith('Reading'));
    expect({ code, stdout, lines: lines.length }).toEqual({ code: 2, stdout: '', lines: 1 });
    expect(lines[0]?.replace(/^batch: /, '')).toMatch(message);
  });

  it('is an address of a sheet on the web', async () => {
    await using stage = await openStage();
    const { code, stderr } = await stage.batch(['check', 'https://docs.google.com/spreadsheets/d/abc']);
    expect(code).toBe(2);
    expect(stderr).toContain('this is the address of a Google sheet; there, choose File > Download');
  });
});

it('an id that stands twice in a workbook is reported with the rows of the sheet', async () => {
  await using stage = await openStage();
  const rows = [['试题库'], ['题号', '题目'], ['1', '甲'], ['2', '乙'], ['1', '丙']];
  await stage.write('q.xlsx', workbook({ sheets: [{ name: '题目', rows }] }));
  expect(await stage.batch(['check', 'q.xlsx'])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('q.xlsx:5: the id "1" is already used in row 3\n'),
  });
});
