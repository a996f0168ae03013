/** Rows take the videos of the same question, and nothing is paid for them; of any other question they take nothing. */

import { appendFile, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { clip, content, failed, picture } from '../../cli/support/scripted-service.ts';
import { openStage, runLine, type Stage } from '../../cli/support/stage.ts';

/** Each question has a video of its own. */
const ownVideo = ({ question, count }: { readonly question: string; readonly count: number }) =>
  content(Buffer.concat([clip, Buffer.from(`${question} ${count}`)]));

const rowsOf = (from: number, to: number, name: string): string =>
  ['id,question,answer', ...numbers(from, to).map((at) => `${name}-${at},Question ${at},${at}`), ''].join('\n');

const numbers = (from: number, to: number): readonly number[] =>
  Array.from({ length: to - from }, (_, at) => from + at);

const questionsPaid = ({ service }: Stage): readonly string[] =>
  service.creations.map(({ question }) => question).sort();

async function openBank(rows = 10): Promise<Stage> {
  const stage = await openStage({ file: ownVideo });
  await stage.write('last.csv', rowsOf(0, rows, 'old'));
  const ended = await stage.batch(runLine('last.csv', '--out', 'last'));
  expect(ended.code, ended.stderr).toBe(0);
  return stage;
}

const reuse = (...more: readonly string[]) => runLine('next.csv', '--reuse', 'last', ...more);

describe.concurrent('--reuse', () => {
  it('takes the videos of a file that overlaps, and pays for each other question once', async () => {
    await using stage = await openBank();
    await stage.write('next.csv', rowsOf(7, 17, 'new'));
    const checked = await stage.batch(['check', 'next.csv', '--reuse', 'last']);
    expect(checked).toMatchObject({ code: 0, stdout: expect.stringContaining('Plan: 7 to submit: 7 new') });
    expect(checked.stdout).toContain('Reuse: 3 reused, about 30 points saved');
    const ended = await stage.batch(reuse('--limit', '100', '--max-points', '70'));
    expect(ended).toMatchObject({ code: 0, stdout: expect.stringContaining('10 rows: 10 completed') });
    expect(questionsPaid(stage)).toEqual(numbers(0, 17).map((at) => `Question ${at}`).sort());

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

  it('leaves a run that verifies, exports, and does nothing when it is typed again, without the other folder', async () => {
    await using stage = await openBank(3);
    await stage.write('next.csv', rowsOf(0, 3, 'new'));
    await stage.batch(reuse());
    await rm(join(stage.folder, 'last'), { recursive: true });
    const again = await stage.batch(runLine('next.csv'));
    expect(again).toMatchObject({ code: 0, stdout: expect.stringContaining('3 rows: 3 completed') });
    expect((await stage.batch(['resume', 'videos'])).code).toBe(0);
    expect((await stage.batch(['collect', 'videos'])).code).toBe(0);
    expect(stage.service.creations).toHaveLength(3);
    const statuses = stage.service.events.filter((event) => event.startsWith('status'));
    expect(statuses).toHaveLength(3);
    expect(await stage.batch(['verify', 'videos'])).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('0 damaged or missing'),
    });
    expect((await stage.batch(['export', 'videos', '--to', 'all'])).code).toBe(0);
    expect(await stage.list('all')).toContain('new-0.webm');
    await rm(join(stage.folder, 'videos/new-1/video.webm'));
    const fixed = await stage.batch(['verify', 'videos', '--fix']);
    expect(fixed).toMatchObject({ code: 1, stderr: expect.stringContaining('was taken from another row') });
    expect(stage.service.creations).toHaveLength(3);
  });

  it('orders a paid attempt where the user wants one, and keeps the video that was taken', async () => {
    await using stage = await openBank(2);
    await stage.write('next.csv', rowsOf(0, 2, 'new'));
    await stage.batch(reuse());
    const ended = await stage.batch(['retry', 'videos', '--only', 'new-1', '-y']);
    expect(ended).toMatchObject({ code: 0 });
    expect(questionsPaid(stage)).toEqual(['Question 0', 'Question 1', 'Question 1']);
    expect(await stage.report()).toMatchObject([
      { points: '0', attempts: '0' },
      { points: '10', attempts: '1', status: 'completed', reused_from: '' },
    ]);
    expect(await stage.list('videos/new-1')).toContain('attempt-0/video.webm');
    expect((await stage.batch(['verify', 'videos'])).code).toBe(0);
  });

  it('is saved with the run until it is taken back', async () => {
    await using stage = await openBank(2);
    await stage.write('next.csv', rowsOf(5, 6, 'new'));
    await stage.batch(reuse());
    await stage.write('next.csv', `${rowsOf(5, 6, 'new')}new-1,Question 1,1\n`);
    await stage.batch(runLine('next.csv'));
    expect(stage.service.creations).toHaveLength(3);
    await stage.write('next.csv', `${rowsOf(5, 6, 'new')}new-1,Question 1,1\nnew-0,Question 0,0\n`);
    await stage.batch(runLine('next.csv', '--reuse', 'none'));
    expect(stage.service.creations).toHaveLength(4);
  });

  it('names what it cannot use', async () => {
    await using stage = await openBank(1);
    await stage.write('next.csv', rowsOf(0, 1, 'new'));
    const store = ['--store', 'postgres://nobody@127.0.0.1:1/none', '--run', 'exam'];
    expect(await stage.batch(reuse(...store))).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('--reuse is for a run in a folder'),
    });
    expect(await stage.batch(runLine('next.csv', '--reuse', 'nowhere'))).toMatchObject({ code: 2 });
    await stage.batch(runLine('last.csv', '--simulate', '--out', 'play', '--duration', '100ms'));
    expect(await stage.batch(runLine('next.csv', '--reuse', 'play'))).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('that is a rehearsal'),
    });
    expect(await stage.list('videos')).toEqual([]);
  });
});

describe.concurrent('--reuse never takes', () => {
  it('the video of a question that differs in an answer, a space, the quality or one byte of a picture', async () => {
    await using stage = await openStage({ file: ownVideo });
    const other = Buffer.concat([picture, Buffer.from([0])]);
    await writeFile(join(stage.folder, 'one.png'), picture);
    await writeFile(join(stage.folder, 'same.png'), picture);
    await writeFile(join(stage.folder, 'two.png'), other);
    const header = 'id,question,questionImages,answer,quality,notify_url\n';
    const last = numbers(0, 10).map((at) => `old-${at},Question  ${at},one.png,${at},,http://127.0.0.1:1/a\n`);
    await stage.write('last.csv', header + last.join(''));
    expect((await stage.batch(runLine('last.csv', '--out', 'last'))).code).toBe(0);
    const near = [
      (at: number) => `Question ${at},one.png,${at},,`,
      (at: number) => `Question  ${at} ,one.png,${at},,`,
      (at: number) => `Question  ${at},two.png,${at},,`,
      (at: number) => `Question  ${at},,${at},,`,
      (at: number) => `Question  ${at},one.png,${at}.0,,`,
      (at: number) => `Question  ${at},one.png,,,`,
      (at: number) => `Question  ${at},one.png,${at},h,`,
    ];
    const rows = near.flatMap((make, kind) => numbers(0, 10).map((at) => `n-${kind}-${at},${make(at)}\n`));
    // The callback address, the name of a picture, and a quality that is the service's own, make no other video.
    const same = numbers(0, 3).map((at) => `s-${at},Question  ${at},same.png,${at},m,\n`);
    await stage.write('next.csv', header + [...rows, ...same].join(''));
    const ended = await stage.batch(reuse('--concurrency', '40'));
    expect(ended).toMatchObject({ code: 0, stderr: expect.stringContaining('Reuse: 3 reused') });
    const paid = stage.service.creations.slice(10).map(({ body }) => JSON.stringify({ ...body, questionImages: undefined, p: String(body.questionImages).length }));
    expect(paid.filter((one, at) => paid.indexOf(one) !== at)).toEqual([]);
    expect(stage.service.creations).toHaveLength(10 + 70);
    const taken = (await stage.report()).filter(({ reused_from }) => reused_from !== '');
    expect(taken.map(({ id }) => id)).toEqual(['s-0', 's-1', 's-2']);
  });

  it('a video that is marked bad, or is not as it was saved', async () => {
    await using stage = await openBank(4);
    await stage.write('marks.csv', 'row,id,status,mark,note,attempt\n1,old-0,completed,bad,,1\n');
    const reviewed = await stage.batch(['review', 'last', '--marks', 'marks.csv']);
    await appendFile(join(stage.folder, 'last/old-1/video.webm'), 'longer');
    const flipped = join(stage.folder, 'last/old-2/video.webm');
    const bytes = await readFile(flipped);
    bytes[bytes.length - 1] ^= 1;
    await writeFile(flipped, bytes);
    await stage.write('next.csv', rowsOf(0, 4, 'new'));
    const ended = await stage.batch(reuse());
    expect(ended.stderr).toContain('1 video is not as saved');
    expect(await stage.statuses()).toEqual(
      Object.fromEntries(numbers(0, 4).map((at) => [`new-${at}`, 'completed'])),
    );
    const paid = reviewed.code === 0 ? 3 : 2;
    expect(stage.service.creations).toHaveLength(4 + paid);
    expect((await stage.report()).at(-1)).toMatchObject({ points: '0' });
  });
});

describe.concurrent('rows of one file with the same question', () => {
  const twins = 'id,question\na,Same\nb,Other\nc,Same\nd,Same\n';

  it('are said to be paid for each, with the option that pays once', async () => {
    await using stage = await openStage();
    await stage.write('next.csv', twins);
    const checked = await stage.batch(['check', 'next.csv']);
    expect(checked.stdout).toContain('2 rows send what an earlier row sends, and are paid for');
    expect(checked.stdout).toContain('`--reuse ./videos` pays for each question once');
  });

  it('are paid for once with it, and take the video in the same command', async () => {
    await using stage = await openStage({ file: ownVideo });
    await stage.write('next.csv', twins);
    const ended = await stage.batch(runLine('next.csv', '--reuse', './videos'));
    expect(ended.stderr).toContain('Plan: 2 to submit');
    expect(ended.stderr).toContain('2 wait for the videos of other rows');
    expect(ended).toMatchObject({ code: 0, stdout: expect.stringContaining('4 rows: 4 completed') });
    expect(questionsPaid(stage)).toEqual(['Other', 'Same']);
    const report = await stage.report();
    expect(report.map(({ reused_from }) => reused_from)).toEqual(['', '', 'a', 'a']);
  });

  it('wait while the first is not sent, and are sent in its place when it has ended badly', async () => {
    await using stage = await openStage({ file: ownVideo });
    await stage.write('next.csv', twins);
    const line = runLine('next.csv', '--reuse', './videos');
    await stage.batch([...line, '--limit', '0']);
    expect(await stage.lines()).toEqual(['1 a pending', '2 b pending', '3 c invalid', '4 d invalid']);
    expect((await stage.report())[2]?.failure).toContain('waits for the video of a,');
    stage.service.follow({ status: (task) => (task.question === 'Same' ? failed('no') : undefined) });
    await stage.batch(line);
    expect(await stage.lines()).toEqual(['1 a failed', '2 b completed', '3 c invalid', '4 d invalid']);
    stage.service.follow({ file: ownVideo });
    const resumed = await stage.batch(['resume', 'videos']);
    expect(resumed.stderr).toContain('1 waits for the video of another row');
    expect(await stage.lines()).toEqual(['1 a failed', '2 b completed', '3 c completed', '4 d completed']);
    expect(questionsPaid(stage)).toEqual(['Other', 'Same', 'Same']);
  });

  it('are all sent once the option is taken back', async () => {
    await using stage = await openStage({ file: ownVideo });
    await stage.write('next.csv', twins);
    await stage.batch(runLine('next.csv', '--reuse', './videos', '--limit', '0'));
    await stage.batch(runLine('next.csv', '--reuse', 'none'));
    expect(questionsPaid(stage)).toEqual(['Other', 'Same', 'Same', 'Same']);
  });
});
