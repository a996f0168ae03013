/** A run whose tables were dropped, and one that was made anew under its name: nothing goes from one to the other. */

import { join } from 'node:path';
import { expect, it } from 'vitest';
import { type Fleet, openFleet } from '../support/fleet.ts';

const timeout = 600_000;
const pace = { rows: 10, concurrency: 4, poll: '300ms', service: ['--duration', '300ms'] } as const;

async function dropRun(fleet: Fleet): Promise<void> {
  await fleet.query('DROP SCHEMA batch_fleet CASCADE');
  await fleet.query('DROP SCHEMA IF EXISTS batch_fleet_jobs CASCADE');
}

/** Imports the first file into this folder. */
const makeAnew = (fleet: Fleet, out: string, ...more: readonly string[]) =>
  fleet.batch('run', 'questions-0.jsonl', '--out', out, '--detach', '--yes', ...more);

it('a worker whose run was dropped ends with exit code 2 and one line', { timeout }, async () => {
  await using fleet = await openFleet({ ...pace, options: ['--limit', '4'] });
  const seat = await fleet.openSeat();
  seat.start();
  await fleet.until(async () => (await fleet.counts()).completed === 4);
  const { ended } = seat.running;
  await dropRun(fleet);
  const { code, stderr } = await ended;
  expect(code, stderr).toBe(2);
  expect(stderr).toContain('was removed');
  expect(stderr).not.toContain('bug in batch');
});

it.each([4, 0])(
  'a worker that was suspended meanwhile, and had sent %d rows, pays for none of the new run and tells it of none',
  { timeout },
  async (sent) => {
    await using fleet = await openFleet({ ...pace, options: ['--limit', String(sent)] });
    const seat = await fleet.openSeat();
    seat.start();
    await fleet.until(async () => {
      const workers = await fleet.query('SELECT 1 FROM workers WHERE scratch IS NOT NULL');
      return workers.length > 0 && ((await fleet.counts()).completed ?? 0) === sent;
    });
    const { running } = seat;
    await running.suspend();
    await dropRun(fleet);
    const made = await makeAnew(fleet, join(fleet.folder, 'elsewhere'), '--max-points', '25');
    expect(made.code, made.stderr).toBe(0);
    running.kill('SIGCONT');
    const { code, stderr } = await running.ended;
    expect(code, stderr).toBe(2);
    expect((await fleet.ledger()).accepted).toBe(sent);
    expect(await fleet.counts()).toMatchObject({ pending: pace.rows });
  },
);

it('a new run is not made in the folder of another one; with another folder the same command makes it', {
  timeout,
}, async () => {
  await using fleet = await openFleet(pace);
  await dropRun(fleet);
  const refused = await makeAnew(fleet, fleet.out);
  expect(refused.code).toBe(2);
  expect(refused.stderr).toContain('carries the mark of another run');
  const made = await makeAnew(fleet, join(fleet.folder, 'elsewhere'));
  expect(made.code, made.stderr).toBe(0);
});
