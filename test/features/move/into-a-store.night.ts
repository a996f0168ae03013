/** `batch move`: a run goes from its folder to several machines, and is the same run. */

import { afterAll, expect, it } from 'vitest';
import { movesOf, openRunToMove, paidFor, reported } from '../../cli/support/moves.ts';
import { startPostgres } from '../../support/postgres.ts';
import { openBank, reuse, rowsOf } from '../reuse/bank.ts';

const server = await startPostgres();
const url = `${await server.createDatabase()}?sslmode=disable`;
afterAll(() => server[Symbol.asyncDispose]());

it('a run is the same elsewhere, and what was paid for is not paid for again', async () => {
  await using stage = await openRunToMove();
  const { place, into } = movesOf(url, 'alg');
  const before = await reported(stage, 'videos');
  const moved = await stage.batch(into);
  expect(moved.stderr).toBe('');
  expect(moved.stdout).toMatch(
    /^Moved 5 rows and 3 files\nNext: batch resume --store 'postgres:\S+' --run alg\n$/,
  );
  expect(moved.stdout).not.toContain(server.password);
  const [, , ...typed] = moved.stdout.trimEnd().replaceAll("'", '').split('Next: ')[1]?.split(' ') ?? [];
  const env = { PGPASSWORD: server.password };
  expect((await stage.batch(['status', ...typed], { env })).stdout).toMatch(/^5 rows/);
  await stage.batch(['report', ...place]);
  expect(await reported(stage, 'shared')).toEqual(before);
  expect(await stage.list('shared')).toEqual(
    expect.arrayContaining(['a/attempt-1/video.webm', 'b/attempt-2/task.json', 'b/attempt-2/video.webm']),
  );
  const refused = await stage.batch(['resume', '--yes']);
  expect([refused.code, refused.stderr]).toEqual([
    2,
    expect.stringMatching(/has moved: `batch resume --store \S+ --run alg` goes on with it\n$/),
  ]);
  const left = await stage.batch(['status']);
  expect(left.stdout).toMatch(/\nNext: batch resume --store \S+ --run alg {3}the run has moved there; .*\n$/);
  await stage.batch(['report']);
  expect(await reported(stage, 'videos')).toEqual(before);

  await stage.batch(['worker', ...place, '--drain']);
  expect([paidFor(stage, 'Question a'), paidFor(stage, 'Question late')]).toEqual([1, 1]);
});

it('a row that took the video of another run has it elsewhere, and the next one is paid for where the user wants one', async () => {
  await using stage = await openBank(2);
  const { place, into } = movesOf(url, 'reused');
  await stage.write('next.csv', `${rowsOf(0, 2, 'new')}twin,Question 7,7\ntwin-2,Question 7,7\n`);
  expect((await stage.batch(reuse('--limit', '0'))).stderr).toContain('2 reused');
  expect((await stage.batch(into)).code).toBe(0);
  expect(await stage.list('shared')).toContain('new-1/attempt-0/video.webm');
  expect((await stage.batch(['verify', ...place])).code).toBe(0);
  const ordered = await stage.batch(['retry', ...place, '--only', 'new-1', '-y']);
  expect(ordered.code).toBe(4);
  expect(paidFor(stage, 'Question 1')).toBe(2);
  expect(paidFor(stage, 'Question 0')).toBe(1);
  expect((await stage.batch(['resume', ...place, '-y'])).code).toBe(0);
  expect(paidFor(stage, 'Question 7')).toBe(2);
  await stage.batch(['report', ...place]);
  const report = (await reported(stage, 'shared')).map((row) => JSON.stringify(row)).join('\n');
  expect(report).toContain('old-0');
  expect((await stage.batch(['verify', ...place])).code).toBe(0);
});

it('an export continues with the run wherever it is: nothing is copied twice, and nothing is taken for another run', async () => {
  await using stage = await openRunToMove();
  const { place, into } = movesOf(url, 'exported');
  const exported = async (...run: readonly string[]) => {
    const ending = await stage.batch([
      'export',
      ...run,
      '--to',
      'course',
      '--name',
      '{id}',
      '--delete',
      '--json',
    ]);
    expect(ending.code, ending.stderr).toBe(0);
    return JSON.parse(ending.stdout);
  };
  const same = { videos: 2, added: 0, replaced: 0, unchanged: 2, removed: 0, problems: 0 };
  expect(await exported()).toMatchObject({ ...same, added: 2, unchanged: 0 });
  const names = await stage.list('course');
  const sums = await stage.read('course/SHA256SUMS');

  expect(await stage.batch(into)).toMatchObject({ code: 0 });
  expect(await exported(...place)).toMatchObject(same);
  expect(await stage.list('course')).toEqual(names);
  expect(await stage.read('course/SHA256SUMS')).toBe(sums);
});
