/** What follows from videos that were taken: later commands, videos that may not be taken, and rows that wait for one. */

import { appendFile, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { storeIn } from '../../../src/app/stores.ts';
import { failed, inProgress, reset } from '../../cli/support/scripted-service.ts';
import { openStage, runLine } from '../../cli/support/stage.ts';
import { numbers, openBank, ownVideo, questionsPaid, reuse, rowsOf, twins } from './bank.ts';

/** A reviewer finds the first video bad, and the fourth is seen to be cut off. */
async function judge(folder: string): Promise<void> {
  await using store = await storeIn(folder).open();
  const mark = { reviewer: '', mark: 'bad', note: '', question: null, answer: null, at: 1 } as const;
  await store.reviews.saveMarks([{ ...mark, key: 1, attempt: 1 }]);
  const [cut] = await store.checkpoint.itemsWithIds(['old-3']);
  const sha256 = cut?.artifacts.find(({ kind }) => kind === 'video')?.sha256 ?? '';
  await store.inspections.save([{ sha256, inspection: { container: null, playback: null } }]);
  await store.inspections.saveFindings([{ sha256, findings: [{ code: 'cut-off' }] }]);
}

describe.concurrent('--reuse', () => {
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

  it('pays for nothing that another run is making, or may be making, and takes it once it is there', async () => {
    await using stage = await openStage({
      file: ownVideo,
      create: ({ question }, accept) => {
        if (question !== 'Question 2') return undefined;
        accept();
        return reset;
      },
      status: (task) => (task.question === 'Question 1' ? inProgress(task) : undefined),
    });
    await stage.write('last.csv', rowsOf(0, 3, 'old'));
    const other = stage.start(runLine('last.csv', '--out', 'last'));
    await stage.service.until(({ events }) =>
      ['status Question 1', 'create Question 2'].every((one) => events.includes(one)),
    );
    await stage.batch(['stop', 'last']);
    await other.ended;
    await stage.write('next.csv', rowsOf(0, 3, 'new'));
    const ended = await stage.batch(reuse());
    const root = join(stage.folder, 'last');
    expect(ended.stderr).toContain(`1 is being made and 1 may have been paid for in ${root}`);
    expect(ended).toMatchObject({
      code: 4,
      stdout: expect.stringContaining('2 waiting for videos of others'),
    });
    expect(ended.stdout).toContain(`waits for the video of … in ${root}, which`);
    expect(ended.stdout).toContain('Next: batch resume ./videos');
    expect(ended.stdout).not.toContain('correct');
    expect(questionsPaid(stage)).toEqual(['Question 0', 'Question 1', 'Question 2']);

    stage.service.follow({ file: ownVideo });
    await stage.batch(['collect', 'last', '--poll-interval', '100ms']);
    expect(await stage.batch(['resume', 'videos'])).toMatchObject({ code: 4 });
    expect(await stage.lines()).toEqual(['1 new-0 completed', '2 new-1 completed', '3 new-2 invalid']);
    expect(stage.service.creations).toHaveLength(3);
    expect(await stage.batch(['resume', 'videos', '--reuse', 'none'])).toMatchObject({ code: 0 });
    expect(stage.service.creations).toHaveLength(4);
  });

  it('pays for nothing while the folder that was named is away', async () => {
    await using stage = await openBank(2);
    await stage.write('next.csv', rowsOf(1, 3, 'new'));
    await stage.batch(reuse('--limit', '0'));
    await rename(join(stage.folder, 'last'), join(stage.folder, 'moved'));
    await stage.write('next.csv', rowsOf(0, 3, 'new'));
    for (const line of [runLine('next.csv'), ['resume', 'videos']])
      expect(await stage.batch(line)).toMatchObject({
        code: 2,
        stderr: expect.stringMatching(/last: there is no run any more.* --reuse DIR, .* --reuse none/),
      });
    for (const line of [
      ['check', 'next.csv'],
      ['status', 'videos'],
      ['resume', 'videos', '--dry-run'],
    ])
      expect(await stage.batch(line)).toMatchObject({
        code: 0,
        stderr: expect.stringContaining('last: there is no run any more'),
      });
    expect(stage.service.creations).toHaveLength(2);
    const ended = await stage.batch(runLine('next.csv', '--reuse', 'moved'));
    expect(ended, ended.stderr).toMatchObject({ code: 0 });
    expect(questionsPaid(stage)).toEqual(['Question 0', 'Question 1', 'Question 2']);
  });

  it('takes the draft of a row that has a final as well as the final, each for its own quality', async () => {
    await using stage = await openBank(1);
    await stage.write('good.csv', 'id,mark\nold-0,good\n');
    const final = ['retry', 'last', '--good', '--quality', 'h', '--only', '@good.csv', '-y'];
    expect(await stage.batch(final)).toMatchObject({ code: 0 });
    await stage.write(
      'next.csv',
      'id,question,answer,quality\nd,Question 0,0,m\nf,Question 0,0,h\nl,Question 0,0,l\n',
    );
    expect((await stage.batch(reuse())).code).toBe(0);
    expect(stage.service.creations).toHaveLength(3);
    expect((await stage.report()).map(({ id, quality, points }) => `${id} ${quality} ${points}`)).toEqual([
      'd m 0',
      'f h 0',
      'l l 10',
    ]);
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

  it('never takes a video that is marked bad, or is not as it was saved', async () => {
    await using stage = await openBank(5);
    await judge(join(stage.folder, 'last'));
    await appendFile(join(stage.folder, 'last/old-1/video.webm'), 'longer');
    const flipped = join(stage.folder, 'last/old-2/video.webm');
    const bytes = await readFile(flipped);
    bytes.writeUInt8(bytes.readUInt8(100) ^ 1, 100);
    await writeFile(flipped, bytes);
    await stage.write('next.csv', rowsOf(0, 5, 'new'));
    const ended = await stage.batch(reuse());
    expect(ended.stderr).toContain('not as they were saved: 1');
    // The plan said that its video is taken, so that nobody agreed to pay for it.
    expect(await stage.statuses()).toEqual({
      ...Object.fromEntries(numbers(0, 5).map((at) => [`new-${at}`, 'completed'])),
      'new-2': 'invalid',
    });
    expect(stage.service.creations).toHaveLength(5 + 3);
    expect((await stage.report()).at(-1)).toMatchObject({ points: '0' });
    expect((await stage.batch(runLine('next.csv', '--reuse', 'none'))).code).toBe(0);
    expect(stage.service.creations).toHaveLength(5 + 4);
  });
});

it('calls the command of --on-row for rows that took a video, too', async () => {
  await using stage = await openBank(2);
  await stage.write('next.csv', `${rowsOf(1, 3, 'new')}twin,Question 2,2\n`);
  const hook = ['--on-row', "sh -c 'echo $BATCH_ROW_ID >> called.txt'"];
  expect((await stage.batch(reuse(...hook))).code).toBe(0);
  const called = (await stage.read('called.txt')).trim().split('\n');
  expect(called.sort()).toEqual(['new-1', 'new-2', 'twin']);
});

describe.concurrent('rows of one file with the same question', () => {
  it('are said to be paid for each, with the option that pays once', async () => {
    await using stage = await openStage();
    await stage.write('next.csv', twins);
    const checked = await stage.batch(['check', 'next.csv']);
    expect(checked.stdout).toContain('2 rows send what an earlier row sends, and are paid for');
    expect(checked.stdout).toContain('`--reuse ./videos` pays for each question once');
  });

  it('wait while the first is not sent, and are sent in its place when it has ended badly', async () => {
    await using stage = await openStage({ file: ownVideo });
    await stage.write('next.csv', twins);
    const line = runLine('next.csv', '--reuse', './videos');
    expect((await stage.batch([...line, '--limit', '0'])).code).toBe(4);
    expect(await stage.lines()).toEqual(['1 a pending', '2 b pending', '3 c invalid', '4 d invalid']);
    expect((await stage.report())[2]?.failure).toContain('waits for the video of a,');
    stage.service.follow({ status: (task) => (task.question === 'Same' ? failed(task, 'no') : undefined) });
    const ended = await stage.batch(line);
    expect(ended).toMatchObject({
      code: 4,
      stdout: expect.stringContaining('waiting  "waits for the video of a,'),
    });
    expect(ended.stdout).not.toContain('correct the file');
    expect(await stage.lines()).toEqual(['1 a failed', '2 b completed', '3 c invalid', '4 d invalid']);
    stage.service.follow({ file: ownVideo });
    const resumed = await stage.batch(['resume', 'videos']);
    expect(resumed.stderr).toContain('1 waits for the video of another row');
    expect(await stage.lines()).toEqual(['1 a failed', '2 b completed', '3 c completed', '4 d completed']);
    expect(questionsPaid(stage)).toEqual(['Other', 'Same', 'Same']);
  });

  it('are not paid for again by a retry of one of them while another has the video', async () => {
    await using stage = await openStage({
      file: ownVideo,
      status: (task) => (task.taskId === 'task-1' ? failed(task, 'no') : undefined),
    });
    await stage.write('next.csv', 'id,question\na,Same\nb,Same\n');
    await stage.batch(runLine('next.csv', '--concurrency', '1'));
    expect(await stage.lines()).toEqual(['1 a failed', '2 b completed']);
    const trial = await stage.batch(['retry', 'videos', '--failed', '--dry-run']);
    expect(trial.stdout).toContain(
      '1 of the rows to retry has the question of a row with a video, and is paid for',
    );
    const retried = await stage.batch(['retry', 'videos', '--failed', '--reuse', './videos']);
    expect(retried.stderr).toContain('Reuse: 1 reused');
    expect(retried, retried.stderr).toMatchObject({ code: 0 });
    expect(stage.service.creations).toHaveLength(2);
    expect(await stage.report()).toMatchObject([
      {
        id: 'a',
        status: 'completed',
        reused_from: 'b',
        attempts: '1',
        task_id: '',
        failure: '',
        points: '0',
      },
      { id: 'b', status: 'completed', reused_from: '' },
    ]);
    expect(await stage.batch(['verify', 'videos'])).toMatchObject({ code: 0 });
    expect((await stage.batch(['retry', 'videos', '--only', 'a', '-y'])).code).toBe(0);
    expect(stage.service.creations).toHaveLength(3);
    expect(await stage.list('videos/a')).toContain('attempt-1/video.webm');
  });

  it('are all sent once the option is taken back', async () => {
    await using stage = await openStage({ file: ownVideo });
    await stage.write('next.csv', twins);
    await stage.batch(runLine('next.csv', '--reuse', './videos', '--limit', '0'));
    await stage.batch(runLine('next.csv', '--reuse', 'none'));
    expect(questionsPaid(stage)).toEqual(['Other', 'Same', 'Same', 'Same']);
  });
});
