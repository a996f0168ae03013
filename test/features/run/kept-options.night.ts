/** Options that are given on the way are valid for later runs, as those of the first one do; above all the cap on points. */

import { describe, expect, it } from 'vitest';
import { failed } from '../../cli/support/scripted-service.ts';
import { openStage, questions, runLine, type Stage } from '../../cli/support/stage.ts';

/** Ten rows at ten points each, of which one was made under a cap of 100. */
async function openCapped(): Promise<Stage> {
  const stage = await openStage();
  await stage.write('q.csv', questions(...Array.from({ length: 10 }, (_, at) => `q${at}`)));
  await stage.batch(runLine('q.csv', '--max-points', '100', '--limit', '1'));
  return stage;
}

const made = ({ service }: Stage): number => service.creations.length;

describe.concurrent('a cap that is given on the way', () => {
  it('is kept when it is lower, and stands in the plan of the run after it', async () => {
    await using stage = await openCapped();
    expect(await stage.batch(['resume', '--max-points', '30'])).toMatchObject({ code: 4 });
    expect(made(stage)).toBe(3);
    const again = await stage.batch(['resume']);
    expect(again).toMatchObject({
      code: 4,
      stderr: expect.stringContaining('--max-points 30 leaves no room'),
    });
    const line = await stage.batch(runLine('q.csv'));
    expect(line).toMatchObject({
      code: 4,
      stderr: expect.stringContaining('--max-points 30 leaves no room'),
    });
    expect(made(stage)).toBe(3);
  });

  it('is kept when it is higher', async () => {
    await using stage = await openCapped();
    await stage.batch(['resume', '--max-points', '30']);
    await stage.batch(['resume', '--max-points', '50', '--limit', '1']);
    expect(made(stage)).toBe(4);
    expect(await stage.batch(['resume'])).toMatchObject({ code: 4 });
    expect(made(stage)).toBe(5);
  });

  it.for([
    ['collect', ['collect', '--max-points', '30']],
    ['retry', ['retry', '--only', 'q0', '--max-points', '30']],
  ] as const)('is kept from %s', async ([, line]) => {
    await using stage = await openCapped();
    await stage.batch(line);
    await stage.batch(['resume']);
    expect(made(stage)).toBe(3);
  });

  it.for([
    ['by resume', (stage: Stage) => stage.batch(['resume', '--max-points', 'none'])],
    [
      'by a job file',
      async (stage: Stage) => {
        await stage.write('job.json', '{"input":"q.csv","poll-interval":"100ms","max-points":"none"}');
        return stage.batch(['run', '--job', 'job.json']);
      },
    ],
  ] as const)('is taken away with none, %s', async ([, go]) => {
    await using stage = await openCapped();
    await stage.batch(['resume', '--max-points', '30', '--limit', '0']);
    expect(await go(stage)).toMatchObject({ code: 0 });
    expect(made(stage)).toBe(10);
  });

  it('stands in the plan where nothing is left to submit, too', async () => {
    await using stage = await openCapped();
    await stage.batch(['resume']);
    const { stderr } = await stage.batch(runLine('q.csv'));
    expect(stderr).toContain(
      'Estimate: nothing to submit, 0 points\n  --max-points 100: 100 points spent so far',
    );
  });

  it('is not kept when the plan was not carried out', async () => {
    await using stage = await openCapped();
    const dry = await stage.batch(runLine('q.csv', '--max-points', '30', '--dry-run'));
    expect(dry.code).toBe(0);
    expect(await stage.batch(['resume'])).toMatchObject({ code: 0 });
    expect(made(stage)).toBe(10);
  });
});

it('what is not the cap is kept from resume too', async () => {
  await using stage = await openStage({ status: (task) => failed(task, 'no') });
  await stage.write('q.csv', questions('a', 'b', 'c', 'd'));
  await stage.batch(runLine('q.csv', '--limit', '0'));
  await stage.batch(['resume', '--limit', '0', '--halt', '1', '--quality', 'l', '-j', '1']);
  expect(await stage.batch(['resume'])).toMatchObject({ code: 4 });
  expect(stage.service.creations.map(({ body }) => body.quality)).toEqual(['l']);
});
