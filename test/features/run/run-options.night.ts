import { describe, expect, it } from 'vitest';
import { completed, inProgress } from '../../cli/support/scripted-service.ts';
import { openStage, questions, runLine } from '../../cli/support/stage.ts';

describe.concurrent('batch run', () => {
  it('reads standard input where the file is -', async () => {
    await using stage = await openStage();
    const stdin = '{"id":"a","question":"Question a"}\n{"id":"b","question":"Question b"}\n';
    const ending = await stage.batch(runLine('-'), { stdin });
    expect(ending.code).toBe(0);
    expect(await stage.lines()).toEqual(['1 a completed', '2 b completed']);
  });

  it('submits a sample once, however often the command is given, and the rest without it', async () => {
    await using stage = await openStage();
    await stage.write('q.csv', questions(...'abcdefgh'));
    const sample = runLine('q.csv', '--sample', '3');
    const pilot = await stage.batch(sample);
    expect(pilot).toMatchObject({ code: 4, stderr: expect.stringContaining('Sample: 3 of 8 rows') });
    expect(stage.service.creations).toHaveLength(3);
    expect((await stage.batch(sample)).code).toBe(4);
    expect(stage.service.creations).toHaveLength(3);
    expect((await stage.batch(runLine('q.csv'))).code).toBe(0);
    expect(new Set(stage.service.creations.map(({ question }) => question)).size).toBe(8);
    expect(stage.service.creations).toHaveLength(8);
  });

  it('submits the rows of --only, and refuses an id that no row has before anything is sent', async () => {
    await using stage = await openStage();
    await stage.write('q.csv', questions('a', 'b', 'c'));
    const unknown = await stage.batch(runLine('q.csv', '--only', 'c,x'));
    expect(unknown).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('--only: no row has the id x'),
    });
    expect(stage.service.events).toEqual([]);
    expect((await stage.batch(runLine('q.csv', '--only', 'c'))).code).toBe(4);
    expect(await stage.lines()).toEqual(['1 a pending', '2 b pending', '3 c completed']);
  });

  it.for([['run', '--dry-run'], ['check']])(
    'writes nothing and sends nothing for %s %s',
    async ([command = '', ...flags]) => {
      await using stage = await openStage();
      await stage.write('q.csv', questions('a', 'b'));
      const ending = await stage.batch([command, 'q.csv', ...flags]);
      expect(ending).toMatchObject({ code: 0, stdout: expect.stringContaining('Plan: 2 to submit: 2 new') });
      expect(ending.stdout).toContain('Estimate: unknown');
      expect(await stage.list('.')).toEqual(['q.csv']);
      expect(stage.service.events).toEqual([]);
    },
  );

  it('estimates by the points that were seen in the folder', async () => {
    await using stage = await openStage();
    await stage.write('q.csv', questions('a', 'b', 'c'));
    await stage.batch(runLine('q.csv', '--limit', '1'));
    const ending = await stage.batch(['check', 'q.csv']);
    expect(ending.stdout).toContain('Plan: 2 to submit');
    expect(ending.stdout).toContain('Estimate: about 20 points: 2 rows at 10 each');
  });

  it.each([
    ['limit', '--limit', '1'],
    ['part', '--only', 'a'],
    ['part', '--sample', '1'],
  ])('prints with --json exactly one JSON object on standard output: %s of %s', async (reason, ...few) => {
    await using stage = await openStage();
    await stage.write('q.csv', questions('a', 'b'));
    const { stdout } = await stage.batch(runLine('q.csv', '--json', ...few));
    expect(stdout.trim().split('\n')).toHaveLength(1);
    expect(JSON.parse(stdout)).toMatchObject({
      rows: 2,
      statuses: { completed: 1, pending: 1, uncertain: 0 },
      points: { spent: 10, reserved: 0 },
      out: './videos',
      reason,
      exitCode: 4,
    });
  });

  it('prints with --quiet only the end, and the warnings', async () => {
    await using stage = await openStage({
      status: (task) => (task.queries === 1 ? inProgress(task) : completed(task)),
    });
    await stage.write('q.csv', questions('a'));
    const ending = await stage.batch(runLine('q.csv', '--quiet'));
    expect(ending).toMatchObject({ code: 0, stderr: '' });
    expect(ending.stdout).toContain('1 row: 1 completed');
  });
});
