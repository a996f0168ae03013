/** A run on three workers is told to stop, one worker first, from a process that is none of them. */

import { expect, it } from 'vitest';
import { openFleet } from '../support/fleet.ts';

it('ends one worker by its name, then all that are left, and none that starts later', async () => {
  await using fleet = await openFleet({
    rows: 24,
    concurrency: 6,
    poll: '500ms',
    service: ['--duration', '1h'],
  });
  const codes = (): readonly (number | null)[] =>
    fleet.seats.flatMap(({ endings }) => endings.map(({ code }) => code));
  await fleet.openSeats(3);
  await fleet.until(async () => ((await fleet.counts()).open ?? 0) === 6);
  const heard = (): Promise<{ name: string }[]> =>
    fleet.query('SELECT name FROM workers WHERE scratch IS NOT NULL ORDER BY name');
  await fleet.until(async () => (await heard()).length === 3);
  const names = (await heard()).map(({ name }) => name);
  expect((await fleet.batch('status')).stdout).toContain('\n`batch stop --run fleet` ends them\n');

  const [one = '', ...others] = names;
  const first = await fleet.batch('stop', '--worker', one);
  expect(first).toMatchObject({ code: 0, stderr: `told to stop: ${one}; waiting for the end\n` });
  expect(first.stdout).toContain('Workers: 2\n');
  await fleet.until(() => codes().length > 0);
  expect(codes()).toEqual([143]);
  expect((await heard()).map(({ name }) => name)).toEqual(others);
  expect(await fleet.batch('stop', '--worker', one)).toMatchObject({
    code: 0,
    stdout: `no worker ${one} works on the run; nothing was changed (workers: ${others.join(', ')})\n`,
  });

  expect(await fleet.batch('stop')).toMatchObject({
    code: 0,
    stderr: `told to stop: ${others.join(', ')}; waiting for the end\n`,
    stdout: expect.stringMatching(/^24 rows: 18 pending, 6 open\n[\s\S]*Next: batch /),
  });
  await fleet.until(() => codes().length === 3);
  expect(codes()).toEqual([143, 143, 143]);
  expect(await fleet.batch('stop')).toMatchObject({
    code: 0,
    stdout: 'no process works on the run --run fleet; nothing was changed\n',
  });

  // Two that start now have nothing to do with what was ordered before; the order of `--now` is their own.
  for (const seat of fleet.seats.slice(0, 2)) seat.start();
  await fleet.until(async () => (await heard()).length === 2);
  expect(await fleet.batch('stop', '--now')).toMatchObject({ code: 0 });
  await fleet.until(() => codes().length === 5);
  expect(codes()).toEqual([143, 143, 143, 143, 143]);
  expect(
    fleet.seats.flatMap(({ endings }) => endings).filter(({ stderr }) => stderr.includes('Left at once')),
  ).toHaveLength(2);
  expect(await fleet.moneyFlaws()).toEqual([]);
});
