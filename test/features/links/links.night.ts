/** `batch links`: what a browser can fetch is never lost to a person. */

import { describe, expect, it } from 'vitest';
import {
  completed,
  errorEnvelope,
  failed,
  inProgress,
  type Script,
} from '../../cli/support/scripted-service.ts';
import { openStage, questions, runLine } from '../../cli/support/stage.ts';

/** Each test starts several programs. */
const timeout = 120_000;

const playlist: Script = {
  file: ({ name }) =>
    name.startsWith('frame') ? undefined : (response) => void response.end('#EXTM3U\n1.ts\n'),
};

/** What is left in the folder, but for what looking leaves. */
const files = ['batch.sqlite', 'report.csv', 'report.jsonl'];

describe.concurrent('batch links', { timeout }, () => {
  it('prints a fresh link of each file, while the run goes, and changes nothing', async () => {
    await using stage = await openStage(playlist);
    await stage.write('q.csv', questions('a', 'b'));
    const run = stage.start(runLine('q.csv', '-j', '2'));
    await stage.service.until(({ fileRequests }) => fileRequests.length >= 4);
    const asked = stage.service.events.filter((event) => event.startsWith('status')).length;
    const ending = await stage.batch(['links', '--only', 'a']);
    expect(ending).toMatchObject({ code: 0, stderr: '' });
    const lines = ending.stdout.trimEnd().split('\n');
    expect(lines[0]).toMatch(
      /^a video 1 http:\/\/127\.0\.0\.1:\d+\/files\/task-\d\/\S+\?signature=s3cret-\d+$/,
    );
    expect(lines.slice(1).every((line) => /^a frame \d http:/.test(line))).toBe(true);
    expect(stage.service.events.filter((event) => event.startsWith('status')).length).toBeGreaterThan(asked);
    expect(stage.service.creations).toHaveLength(2);
    run.kill('SIGINT');
    await run.ended;
    const before = await Promise.all(files.map((name) => stage.read(`videos/${name}`)));
    const log = await stage.read('videos/batch.log');
    const again = await stage.batch(['links', 'videos', '--only', 'a,b', '--json']);
    expect(JSON.parse(again.stdout)).toMatchObject({
      rows: [
        {
          id: 'a',
          taskId: 'task-1',
          failure: null,
          links: [{ kind: 'video', number: 1 }, ...lines.slice(1).map(() => ({ kind: 'frame' }))],
        },
        { id: 'b', failure: null },
      ],
    });
    expect(await Promise.all(files.map((name) => stage.read(`videos/${name}`)))).toEqual(before);
    expect(await stage.read('videos/batch.log')).toBe(log);
    expect(log).not.toContain('s3cret');
  });

  it('says why a row has none, in the language of the user', async () => {
    await using stage = await openStage({
      status: (task) => {
        if (task.question === 'Question a') return failed(task, 'No picture');
        return task.question === 'Question b' ? inProgress(task) : completed(task);
      },
    });
    await stage.write('q.csv', questions('a', 'b', 'c', 'd'));
    const run = stage.start(runLine('q.csv', '-j', '3', '--limit', '3'));
    await stage.service.until(({ fileRequests }) => fileRequests.length >= 1);
    const ending = await stage.batch(['links', '--only', 'a', '--only', 'b,d', '--lang', 'zh']);
    expect(ending).toMatchObject({ code: 1 });
    expect(ending.stderr).toContain('a 没有视频链接：No picture');
    expect(ending.stderr).toContain('b 没有视频链接：服务还在生成');
    expect(ending.stderr).toContain('d 没有视频链接：没有任务');
    run.kill('SIGKILL');
    await run.ended;
    stage.service.follow({ status: () => errorEnvelope('db error') });
    const unread = await stage.batch(['links', '--only', 'c']);
    expect(unread).toMatchObject({
      code: 4,
      stdout: '',
      stderr: 'row c has no link to a video: db error\n',
    });
    const refused = await stage.batch(['links', '--only', 'c'], { env: { BATCH_API_KEY: 'sk-wrong' } });
    expect(refused).toMatchObject({ code: 3, stderr: expect.stringContaining('Unauthorized') });
    expect(stage.service.creations).toHaveLength(3);
  });

  it.each([
    [['links'], /which rows\? Use `batch links \[DIR\] --only ID,ID`/],
    [['links', '--only', 'nobody'], /--only: no row has the id nobody/],
    [['links', 'elsewhere', '--only', 'a'], /elsewhere/],
  ])('is wrong use as %j', async (line, why) => {
    await using stage = await openStage();
    await stage.write('q.csv', questions('a'));
    await stage.batch(runLine('q.csv'));
    expect(await stage.batch(line)).toMatchObject({
      code: 2,
      stdout: '',
      stderr: expect.stringMatching(why),
    });
  });
});
