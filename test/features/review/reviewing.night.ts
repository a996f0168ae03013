import { describe, expect, it } from 'vitest';
import { failed } from '../../cli/support/scripted-service.ts';
import { openStage, runLine, type Stage } from '../../cli/support/stage.ts';

const file = 'id,question\na,1 + 1\nb,2 + 2\nc,3 + 3\n';
const quick = ['--poll-interval', '100ms'];
const killed = { node: ['--import', new URL('../../cli/support/kill-at-order.ts', import.meta.url).href] };

async function openReviewed(): Promise<Stage> {
  const stage = await openStage();
  await stage.write('q.csv', file);
  expect((await stage.batch(runLine('q.csv'))).code).toBe(0);
  await stage.write('marks.csv', 'id,mark,note,attempt,question\na,bad,a 7,1,7 + 1\nb,good,,1,\nc,bad,,1,\n');
  return stage;
}

const sent = ({ service }: Stage) =>
  service.creations
    .map(({ question }) => question)
    .slice(3)
    .sort();

async function entries(stage: Stage): Promise<readonly Record<string, unknown>[]> {
  return (await stage.read('videos/report.jsonl'))
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
}

describe.concurrent('a review', { timeout: 180_000 }, () => {
  it('goes from marks to new videos with corrected texts, and to the better of two videos', async () => {
    await using stage = await openReviewed();
    const retry = ['retry', '--only', '@marks.csv', ...quick];
    const tried = await stage.batch([...retry, '--dry-run']);
    expect(tried.stdout).toContain('1 row sent with corrected text:\n  a question: "1 + 1" -> "7 + 1"\n');
    const inChinese = await stage.batch([...retry, '--dry-run', '--lang', 'zh']);
    expect(inChinese.stdout).toContain('1 行按改正后的文字发送：\n  a 题目："1 + 1" -> "7 + 1"');
    const json = JSON.parse((await stage.batch([...retry, '--dry-run', '--json'])).stdout);
    expect(json).toMatchObject({
      newAttempts: 2,
      corrected: [{ id: 'a', question: { from: '1 + 1', to: '7 + 1' } }],
    });
    expect(sent(stage)).toEqual([]);

    const paid = await stage.batch(retry);
    expect(paid).toMatchObject({
      code: 0,
      stderr: expect.stringContaining('a question: "1 + 1" -> "7 + 1"'),
    });
    expect(sent(stage)).toEqual(['3 + 3', '7 + 1']);
    const [a, b] = await entries(stage);
    expect(a).toMatchObject({
      question: '7 + 1',
      corrected: { question: { from: '1 + 1', to: '7 + 1' } },
      history: [{ video: 'a/attempt-1/video.webm' }, { video: 'a/video.webm' }],
    });
    expect(b).not.toHaveProperty('corrected');

    // The same file is the same run, and the same marks order nothing.
    expect((await stage.batch(runLine('q.csv'))).code).toBe(0);
    expect((await stage.batch(retry)).code).toBe(2);
    expect(sent(stage)).toHaveLength(2);

    expect((await stage.batch(['prefer', 'a', '--attempt', '1'])).stdout).toContain(
      'row a has the video of attempt 1\nNext: batch report ./videos',
    );
    await stage.batch(['report']);
    expect((await stage.report()).map(({ video }) => video)).toEqual([
      'a/attempt-1/video.webm',
      'b/video.webm',
      'c/video.webm',
    ]);
    // The video that stands for the row is missed, the other one is not.
    await stage.remove('videos/c/attempt-1/video.webm');
    const spare = 'c/attempt-1/video.webm: is missing; the row has the video of another attempt';
    expect(await stage.batch(['verify'])).toMatchObject({ code: 0, stderr: expect.stringContaining(spare) });
    await stage.remove('videos/a/attempt-1/video.webm');
    const lost = 'a/attempt-1/video.webm: is missing; an earlier attempt made it';
    expect(await stage.batch(['verify'])).toMatchObject({ code: 1, stderr: expect.stringContaining(lost) });
    expect((await stage.batch(['verify', '--fix'])).code).toBe(1);
    expect(sent(stage)).toHaveLength(2);
  });

  it.for(['before', 'after'])(
    'that is killed just %s its attempts are ordered pays for each once, with its corrected text',
    async (moment) => {
      await using stage = await openReviewed();
      const retry = ['retry', '--only', '@marks.csv', ...quick];
      const ending = await stage.batch(retry, { ...killed, env: { KILL_ORDER: moment } });
      expect([ending.signal ?? ending.code, sent(stage)]).toEqual(['SIGKILL', []]);
      await stage.batch(['resume', ...quick]);
      expect(sent(stage)).toEqual(moment === 'before' ? [] : ['3 + 3', '7 + 1']);
      await stage.batch(retry);
      await stage.batch(runLine('q.csv'));
      expect(sent(stage)).toEqual(['3 + 3', '7 + 1']);
    },
  );

  it('of several people pays for no row about which they contradict each other', async () => {
    await using stage = await openReviewed();
    await stage.write('ben.csv', 'id,mark,attempt\na,good,1\nc,bad,1\n');
    const retry = await stage.batch(['retry', '--only', '@marks.csv', '--only', '@ben.csv', ...quick]);
    expect(retry).toMatchObject({
      code: 0,
      stderr: expect.stringContaining('reviewers contradict each other: a (marks: bad, ben: good)'),
    });
    expect(sent(stage)).toEqual(['3 + 3']);
  });

  it.for([['row-1'], ['row-2']])(
    'of %s, which has a twin without an id, pays for nothing again, whichever row of the file has the corrected text',
    async ([id = '']) => {
      const isCorrected = (question: string) => question === '7 + 1';
      await using stage = await openStage({
        status: (task) => (isCorrected(task.question) ? failed(task, 'too hard') : undefined),
      });
      await stage.write('q.csv', 'question\n1 + 1\n1 + 1\n2 + 2\n');
      await stage.batch(runLine('q.csv'));
      await stage.write('marks.csv', `id,mark,attempt,question\n${id},bad,1,7 + 1\n`);
      await stage.batch(['retry', '--only', '@marks.csv', ...quick]);
      expect(sent(stage)).toEqual(['7 + 1']);
      const known = async () =>
        (await stage.report()).map(({ question, status }) => [question, status]).sort();
      const before = await known();
      const files = ['1 + 1\n1 + 1\n2 + 2\n', '7 + 1\n1 + 1\n2 + 2\n', '1 + 1\n7 + 1\n2 + 2\n'];
      for (const rows of files) {
        await stage.write('q.csv', `question\n${rows}`);
        expect((await stage.batch(runLine('q.csv'))).code).toBe(1);
        expect((await stage.batch(runLine('videos/failed.csv', '--out', 'videos'))).code).toBe(1);
        expect(await known()).toEqual(before);
      }
      expect(sent(stage)).toEqual(['7 + 1']);
    },
  );

  it.for([
    ['with ids', 'id,question\na,TEXT\nb,2 + 2\n', 'a'],
    ['without', 'question\nTEXT\n2 + 2\n', 'row-1'],
  ] as const)(
    'of a row whose corrected text the file has taken over and which is corrected again pays once for each: %s',
    async ([, written, id]) => {
      await using stage = await openStage();
      const run = async (text: string) => {
        await stage.write('q.csv', written.replace('TEXT', text));
        return stage.batch(runLine('q.csv'));
      };
      const correct = async (attempt: number, text: string) => {
        await stage.write('marks.csv', `id,mark,attempt,question\n${id},bad,${attempt},${text}\n`);
        expect((await stage.batch(['retry', '--only', '@marks.csv', ...quick])).code).toBe(0);
      };
      await run('1 + 1');
      await correct(1, '7 + 1');
      expect((await run('7 + 1')).code).toBe(0);
      await correct(2, '7 + 7');
      for (const text of ['7 + 1', '1 + 1', '7 + 7', '7 + 1']) {
        expect((await run(text)).code).toBe(0);
        expect((await stage.report()).map(({ question, attempts }) => [question, attempts])).toEqual([
          ['7 + 7', '3'],
          ['2 + 2', '1'],
        ]);
      }
      expect(stage.service.creations.map(({ question }) => question).sort()).toEqual([
        '1 + 1',
        '2 + 2',
        '7 + 1',
        '7 + 7',
      ]);
    },
  );
});
