import { describe, expect, it } from 'vitest';
import { completed, inProgress } from '../../cli/support/scripted-service.ts';
import { openStage, questions, runLine } from '../../cli/support/stage.ts';

describe.concurrent('batch export', () => {
  it('exports what is there while a run continues, and leaves the run alone', async () => {
    await using stage = await openStage({
      status: (task) => (task.question === 'Question a' ? completed(task) : inProgress(task)),
    });
    await stage.write('q.csv', questions('a', 'b'));
    const program = stage.start(runLine('q.csv', '-j', '1'));
    await stage.service.until(({ events }) => events.includes('status Question b'));
    const { events } = stage.service;
    const asked = events.filter((event) => event.startsWith('create')).length;

    const first = await stage.batch(['export', '--to', 'course', '--name', '{row} {id}']);
    expect(first).toMatchObject({ code: 0, stderr: '' });
    expect(first.stdout).toBe(
      '1 video in course (1 new; 1 by hard link)\nmanifest.csv, manifest.jsonl and SHA256SUMS say which is which\n',
    );
    expect(events.filter((event) => event.startsWith('create'))).toHaveLength(asked);

    stage.service.follow({});
    expect((await program.ended).code).toBe(0);
    const again = ['export', '--to', 'course', '--name', '{row} {id}', '--json'];
    const second = await stage.batch([...again, '--url-base', 'https://x.example/c/']);
    expect(JSON.parse(second.stdout)).toMatchObject({ videos: 2, added: 1, unchanged: 1, problems: 0 });
    expect(await stage.list('course')).toEqual([
      '1 a.webm',
      '2 b.webm',
      'SHA256SUMS',
      'manifest.csv',
      'manifest.jsonl',
    ]);
    expect(await stage.read('course/manifest.csv')).toContain(',https://x.example/c/2%20b.webm,');
    expect(await stage.statuses()).toEqual({ a: 'completed', b: 'completed' });
  });

  it('says what is not as it was asked for, and ends with 1', async () => {
    await using stage = await openStage();
    await stage.write('q.csv', questions('a', 'b'));
    expect((await stage.batch(runLine('q.csv'))).code).toBe(0);
    const first = await stage.batch(['export', '--to', 'course', '--copy']);
    expect(first.code, first.stderr).toBe(0);
    await stage.write('course/a.webm', 'mine');
    const ending = await stage.batch(['export', '--to', 'course', '--copy']);
    expect(ending.code).toBe(1);
    expect(ending.stderr).toContain('a.webm: another file is there');
    expect(ending.stdout).toContain('1 problem, listed above');
    expect(await stage.read('course/a.webm')).toBe('mine');
    await stage.write('mine/a.webm', 'mine');
    const refused = await stage.batch(['export', '--to', 'mine']);
    expect(refused).toMatchObject({ code: 2, stdout: '' });
    expect(refused.stderr).toContain('mine/a.webm is not of an export of this run');
    expect(await stage.list('mine')).toEqual(['a.webm']);
  });
});

it.concurrent.each([
  [[], 'say where the videos go, once: --to DIR'],
  [['--to', 'x', '--link', '--copy'], '--link and --copy exclude each other'],
  [['--to', 'x', '--name', ''], '--name is empty'],
  [['--to', 'x', '--url-base', 'x.example/a'], '--url-base x.example/a is not the address of a folder'],
])('batch export %j is refused', async (args, why) => {
  await using stage = await openStage();
  const ending = await stage.batch(['export', ...args]);
  expect(ending.code).toBe(2);
  expect(ending.stderr).toContain(why);
});
