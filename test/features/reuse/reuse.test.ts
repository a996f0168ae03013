/** Rows take the videos of the same question, and nothing is paid for them; of any other question they take nothing. */

import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { picture } from '../../cli/support/scripted-service.ts';
import { openStage, runLine } from '../../cli/support/stage.ts';
import { numbers, openBank, ownVideo, questionsPaid, reuse, rowsOf, twins } from './bank.ts';

describe.concurrent('--reuse', () => {
  it('takes the videos of a file that overlaps, and pays for each other question once', async () => {
    await using stage = await openBank();
    await stage.write('next.csv', rowsOf(7, 17, 'new'));
    const checked = await stage.batch(['check', 'next.csv', '--reuse', 'last']);
    expect(checked).toMatchObject({ code: 0, stdout: expect.stringContaining('Plan: 7 to submit: 7 new') });
    expect(checked.stdout).toContain('Reuse: 3 reused, about 30 points saved');
    const ended = await stage.batch(reuse('--limit', '100', '--max-points', '70'));
    expect(ended).toMatchObject({ code: 0, stdout: expect.stringContaining('10 rows: 10 completed') });
    expect(questionsPaid(stage)).toEqual(
      numbers(0, 17)
        .map((at) => `Question ${at}`)
        .sort(),
    );

    const report = await stage.report();
    expect(report.slice(0, 3)).toMatchObject(
      numbers(7, 10).map((at) => ({
        id: `new-${at}`,
        status: 'completed',
        points: '0',
        attempts: '0',
        task_id: '',
        video: `new-${at}/video.webm`,
        reused_from: `${join(stage.folder, 'last')} old-${at}`,
      })),
    );
    expect(report[3]).toMatchObject({ points: '10', attempts: '1', reused_from: '' });
    for (const at of numbers(7, 10))
      expect(await readFile(join(stage.folder, `videos/new-${at}/video.webm`))).toEqual(
        await readFile(join(stage.folder, `last/old-${at}/video.webm`)),
      );
    const [one, other] = await Promise.all(
      ['last/old-7', 'videos/new-7'].map((row) => stat(join(stage.folder, row, 'video.webm'))),
    );
    expect(one?.ino).toBe(other?.ino);
  });

  it('never takes the video of a question that differs in an answer, a space inside, the quality or one byte of a picture', async () => {
    await using stage = await openStage({ file: ownVideo });
    const other = Buffer.concat([picture, Buffer.from([0])]);
    await writeFile(join(stage.folder, 'one.png'), picture);
    await writeFile(join(stage.folder, 'same.png'), picture);
    await writeFile(join(stage.folder, 'two.png'), other);
    const header = 'id,question,questionImages,answer,quality,notify_url\n';
    const last = numbers(0, 10).map(
      (at) => `old-${at},"Question  ${at}\nwhy?",one.png,${at},,http://127.0.0.1:1/a\n`,
    );
    await stage.write('last.csv', header + last.join(''));
    expect((await stage.batch(runLine('last.csv', '--out', 'last'))).code).toBe(0);
    const near = [
      (at: number) => `"Question ${at}\nwhy?",one.png,${at},,`,
      (at: number) => `"Question  ${at} why?",one.png,${at},,`,
      (at: number) => `"Question  ${at}\nwhy?",two.png,${at},,`,
      (at: number) => `"Question  ${at}\nwhy?",,${at},,`,
      (at: number) => `"Question  ${at}\nwhy?",one.png,${at}.0,,`,
      (at: number) => `"Question  ${at}\nwhy?",one.png,,,`,
      (at: number) => `"Question  ${at}\nwhy?",one.png,${at},h,`,
    ];
    const rows = near.flatMap((make, kind) => numbers(0, 10).map((at) => `n-${kind}-${at},${make(at)}\n`));
    // The callback address, the name of a picture, a quality that is the service's own, and what a program that saves the file
    // makes of its line ends and outer blanks, make no other video.
    const same = numbers(0, 3).map((at) => `s-${at}," Question  ${at}\r\nwhy? ",same.png,${at} ,m,\n`);
    await stage.write('next.csv', header + [...rows, ...same].join(''));
    const ended = await stage.batch(reuse('--concurrency', '40'));
    expect(ended).toMatchObject({ code: 0, stderr: expect.stringContaining('Reuse: 3 reused') });
    const paid = stage.service.creations
      .slice(10)
      .map(({ body }) =>
        JSON.stringify({ ...body, questionImages: undefined, p: String(body.questionImages).length }),
      );
    expect(paid.filter((one, at) => paid.indexOf(one) !== at)).toEqual([]);
    expect(stage.service.creations).toHaveLength(10 + 70);
    const taken = (await stage.report()).filter(({ reused_from }) => reused_from !== '');
    expect(taken.map(({ id }) => id)).toEqual(['s-0', 's-1', 's-2']);
  });

  it('pays once for rows of one file with the same question, which take the video in the same command', async () => {
    await using stage = await openStage({ file: ownVideo });
    await stage.write('next.csv', twins);
    const ended = await stage.batch(runLine('next.csv', '--reuse', './videos'));
    expect(ended.stderr).toContain('Plan: 2 to submit');
    expect(ended.stderr).toContain('2 wait for the videos of other rows');
    expect(ended).toMatchObject({ code: 0, stdout: expect.stringContaining('4 rows: 4 completed') });
    expect(questionsPaid(stage)).toEqual(['Other', 'Same']);
    const report = await stage.report();
    expect(report.map(({ reused_from }) => reused_from)).toEqual(['', '', 'a', 'a']);
    expect(await readFile('docs/columns.md', 'utf8')).toMatch(
      /`reused_from`.* or the id alone of a row of this run;/,
    );
  });
});
