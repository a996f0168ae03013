/** Workbooks through the program: what leaves, what is kept, and what other files are told. */

import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { openStage, runLine } from '../../cli/support/stage.ts';
import { media, threeKinds } from '../../support/three-kinds.ts';
import { pictures, workbook } from '../../support/workbook.ts';

const [a, b, c] = media.map(({ bytes }) => bytes.toString('base64'));
const pathOf = (bytes: Uint8Array): string =>
  `videos/images/${createHash('sha256').update(bytes).digest('hex')}`;

describe.concurrent('a workbook', () => {
  it('is sent with its pictures byte for byte, and continues without the workbook', async () => {
    await using stage = await openStage();
    await stage.write('q.xlsx', workbook(threeKinds));
    expect(await stage.batch(['check', 'q.xlsx'])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('q.xlsx:6: 题目!C6: the picture is not in the workbook any more'),
    });
    expect(await stage.list('videos')).toEqual([]);
    expect((await stage.batch(runLine('q.xlsx', '--limit', '1'))).code).toBe(4);
    expect(await stage.list('videos')).toContain(
      `images/${pathOf(pictures.other('a')).slice('videos/images/'.length)}`,
    );
    await stage.remove('q.xlsx');
    expect((await stage.batch(['resume'])).code).toBe(1);
    expect(stage.service.creations.map(({ body }) => [body.question, body.questionImages])).toEqual([
      ['one', [b]],
      ['two', [c]],
      ['three', [a]],
    ]);
    expect(await stage.statuses()).toEqual({
      '007': 'completed',
      '008': 'completed',
      '009': 'completed',
      '010': 'invalid',
    });
  });
});
