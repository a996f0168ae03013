/** No command replaces a file that it did not make, wherever a user points it. */

import { describe, expect, it } from 'vitest';
import { failed } from './support/scripted-service.ts';
import { openStage, questions, runLine, type Stage } from './support/stage.ts';

/** A run, a table of marks, and another run with a failed row. */
async function openRuns(): Promise<Stage> {
  const stage = await openStage({
    status: (task) => (task.question === 'Question c' ? failed(task, 'no') : undefined),
  });
  await stage.write('q.csv', questions('a', 'b'));
  await stage.write('other.csv', questions('c'));
  expect((await stage.batch(runLine('q.csv'))).code).toBe(0);
  expect((await stage.batch(runLine('other.csv', '--out', 'other'))).code).toBe(1);
  await stage.write('marks.csv', 'id,mark,note,attempt\na,bad,mine,1\n');
  return stage;
}

/** Every file that a user would miss. */
const precious = [
  'q.csv',
  'marks.csv',
  'videos/batch.sqlite',
  'videos/batch.lock',
  'videos/report.csv',
  'videos/report.html',
  'other/report.jsonl',
  'other/failed.csv',
  'videos/a/video.webm',
  'videos/a/task.json',
];

describe.concurrent('a file that a command did not make', { timeout: 180_000 }, () => {
  it.for([['report'], ['resume'], ['retry', '--only', 'a']])(
    'is not replaced by the first workbook that batch %s is asked for',
    async (line) => {
      await using stage = await openRuns();
      await stage.write('videos/report.xlsx', 'a plan of the term');
      const refused = await stage.batch([...line, '--report', 'xlsx']);
      expect(refused).toMatchObject({ code: 2, stdout: '' });
      expect(refused.stderr).toContain('report.xlsx is not as a run wrote it');
      expect(await stage.read('videos/report.xlsx')).toBe('a plan of the term');
      await stage.remove('videos/report.xlsx');
      for (const times of ['once', 'twice'])
        expect((await stage.batch(['report', '--report', 'xlsx'])).code, times).toBe(0);
    },
  );

  it.for(
    [
      ['resume', '--events', 'FILE'],
      // What is refused has ordered nothing: the checkpoint, too, is as it was.
      ['retry', '--only', 'a', '--events', 'FILE'],
    ].map((line) => ({ line })),
  )('is never replaced by batch $line', async ({ line }) => {
    await using stage = await openRuns();
    for (const path of precious) {
      const before = await stage.read(path);
      const ending = await stage.batch(line.map((word) => (word === 'FILE' ? path : word)));
      expect(ending, `${path}: ${ending.stderr}`).toMatchObject({ code: 2, stdout: '' });
      expect(ending.stderr.trimEnd().split('\n').at(-1), path).toContain(path);
      expect(await stage.read(path), path).toBe(before);
    }
    // Once more where nothing is there yet: the run would put its own file over this one.
    await stage.remove('videos/report.jsonl');
    const ending = await stage.batch(line.map((word) => (word === 'FILE' ? 'videos/report.jsonl' : word)));
    expect(ending).toMatchObject({ code: 2 });
    expect(ending.stderr).toContain('a run in that folder writes itself');
  });

  it('is never replaced by batch report --to', async () => {
    await using stage = await openRuns();
    for (const name of ['report.csv', 'report.jsonl', 'report.html', 'failed.csv']) {
      await stage.write(`mine-${name}/${name}`, 'my own');
      const ending = await stage.batch(['report', '--to', `mine-${name}`]);
      expect(ending).toMatchObject({ code: 2, stdout: '' });
      expect(ending.stderr).toContain(`mine-${name}/${name} holds something`);
      expect(await stage.list(`mine-${name}`)).toEqual([name]);
      expect(await stage.read(`mine-${name}/${name}`)).toBe('my own');
    }
    const before = await stage.read('other/failed.csv');
    expect(await stage.batch(['report', '--to', 'other'])).toMatchObject({ code: 2 });
    expect(await stage.read('other/failed.csv')).toBe(before);

    expect((await stage.batch(['report', '--to', 'share'])).code).toBe(0);
    expect(await stage.batch(['report', 'other', '--to', 'share'])).toMatchObject({ code: 2 });
    expect((await stage.batch(['report', '--to', 'share'])).code).toBe(0);
    expect(await stage.read('share/report.csv')).toContain('Question a');
    // Its own folder under another name is its own folder.
    expect((await stage.batch(['report', '--to', './other/../videos'])).code).toBe(0);
  });

  it('is told from one that it made: typed again, a command replaces its own', async () => {
    await using stage = await openRuns();
    for (const _ of [1, 2]) {
      const ending = await stage.batch(['resume', '--events', 'events.jsonl']);
      expect(ending.code, ending.stderr).toBe(0);
    }
  });
});
