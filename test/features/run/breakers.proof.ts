import { describe, expect, it } from 'vitest';
import { completed, errorEnvelope, failed, inProgress, reset } from '../../cli/support/scripted-service.ts';
import { openStage, questions, runLine } from '../../cli/support/stage.ts';

const eight = questions('a', 'b', 'c', 'd', 'e', 'f', 'g', 'h');

describe.concurrent('submitting stops by itself', () => {
  it('after three uncertain creations in a row; the other rows stay pending, and open tasks are brought home', async () => {
    await using stage = await openStage({
      create: ({ question }) => (question === 'Question a' ? undefined : reset),
      status: (task) => (task.queries < 4 ? inProgress(task) : completed(task)),
    });
    await stage.write('q.csv', eight);
    const ending = await stage.batch(runLine('q.csv', '-j', '4'));
    expect(ending).toMatchObject({
      code: 5,
      stdout: expect.stringContaining('Next: batch resolve ./videos --list --to uncertain.csv'),
    });
    const { a, b, c, d, ...others } = await stage.statuses();
    expect({ a, b, c, d }).toEqual({ a: 'completed', b: 'uncertain', c: 'uncertain', d: 'uncertain' });
    expect(new Set(Object.values(others))).toEqual(new Set(['pending']));
    expect(stage.service.creations).toHaveLength(4);
  });

  it('and the five are sent once more by the same line, also alone, as its plan says', async () => {
    await using stage = await openStage({ create: () => errorEnvelope('系统维护中') });
    await stage.write('q.csv', questions('a', 'b', 'c', 'd', 'e'));
    expect((await stage.batch(runLine('q.csv'))).code).toBe(4);
    stage.service.follow({});
    const again = await stage.batch(runLine('q.csv'));
    expect(again).toMatchObject({
      code: 0,
      stderr: expect.stringMatching(/5 of them were refused.*once more/),
    });
    expect(stage.service.creations).toHaveLength(10);
    const last = await stage.batch(runLine('q.csv'));
    expect(last).toMatchObject({ code: 0, stderr: expect.not.stringContaining('once more') });
    expect(stage.service.creations).toHaveLength(10);
  });

  it('and what the rest costs after a sample is said of as many rows as the proposed command sends', async () => {
    await using stage = await openStage({
      create: () => (stage.service.creations.length > 2 ? errorEnvelope('系统维护中') : undefined),
    });
    await stage.write('q.csv', questions(...'abcdefghijkl'));
    expect((await stage.batch(runLine('q.csv', '-j', '1', '--sample', '7'))).code).toBe(4);
    const { stdout } = await stage.batch(['status']);
    expect(stdout).toMatch(/^The rest: 10 rows for about 100 points/m);
    expect(stdout).toMatch(
      /^Next: batch resume \.\/videos --max-points \d+ +10 rows left, about 100 points$/m,
    );
    stage.service.follow({});
    const before = stage.service.creations.length;
    expect((await stage.batch(runLine('q.csv'))).code).toBe(0);
    expect(stage.service.creations.length - before).toBe(10);
  });
});

describe.concurrent('--max-points', () => {
  it('sends one row alone while no price is known, and then no more than the points allow', async () => {
    await using stage = await openStage({
      status: (task) => (task.queries < 3 ? inProgress(task) : completed(task)),
    });
    await stage.write('q.csv', eight);
    const ending = await stage.batch(runLine('q.csv', '--max-points', '35'));
    expect(ending).toMatchObject({ code: 4, stdout: expect.stringContaining('--max-points reached') });
    expect(ending.stderr).toMatch(/warning: .*85 % of the cap \(30 of 35\)/);
    expect(ending.stdout).toMatch(/batch resume \.\/videos --max-points (none|\d+) /);
    const { events } = stage.service;
    expect(events.slice(0, 5)).toEqual([
      'create Question a',
      ...Array(3).fill('status Question a'),
      events[4],
    ]);
    expect(events.filter((event) => event.startsWith('create'))).toHaveLength(3);
    expect((await stage.report()).reduce((sum, { points }) => sum + Number(points), 0)).toBe(30);
  });
});

describe.concurrent('--halt', () => {
  it.for([
    ['2', 2],
    ['50%', 4],
  ] as const)('%s stops submitting after %i of eight rows ended badly', async ([halt, count]) => {
    await using stage = await openStage({ status: (task) => failed(task, 'No idea') });
    await stage.write('q.csv', eight);
    const ending = await stage.batch(runLine('q.csv', '-j', '1', '--halt', halt));
    expect(ending).toMatchObject({ code: 4, stdout: expect.stringContaining('--halt') });
    expect(stage.service.creations).toHaveLength(count);
    expect(Object.values(await stage.statuses()).filter((status) => status === 'failed')).toHaveLength(count);
  });
});
