/** Commands for one run at the same moment from different machines, and the engine's jobs deleted under way. */

import { rename, rm, writeFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { openFleet } from '../support/fleet.ts';

const pace = { concurrency: 20, poll: '300ms' } as const;

describe('commands at once from two machines', () => {
  it('retry: each failed row gets one more attempt', { timeout: 600_000 }, async () => {
    await using fleet = await openFleet({
      ...pace,
      rows: 40,
      service: ['--duration', '300ms', '--fail-rate', '30%'],
    });
    await fleet.openSeats(2, '--drain');
    await fleet.drain();
    const failed = (await fleet.rows()).filter(({ status }) => status === 'failed').map(({ id }) => id);
    expect(failed.length).toBeGreaterThan(1);
    await Promise.all([fleet.batch('retry', '--failed', '--yes'), fleet.batch('retry', '--failed', '--yes')]);
    await fleet.drain();
    // A row whose second attempt failed before the other command looked may have a third one, as ordered.
    const orders = new Map(failed.map((id) => [id, 2]));
    expect(await fleet.allFlaws(orders)).toEqual([]);
    for (const { id, attempts } of await fleet.rows())
      if (!failed.includes(id)) expect(attempts, id).toHaveLength(1);
      // Whatever was ordered had failed before.
      else for (const { status } of attempts.slice(0, -1)) expect(status, id).toBe('failed');
  });

  it('retry: two of different rows send both, and each sees its own rows through', {
    timeout: 600_000,
  }, async () => {
    await using fleet = await openFleet({
      ...pace,
      rows: 12,
      service: ['--duration', '300ms', '--fail-rate', '100%'],
    });
    await fleet.openSeats(1);
    await fleet.until(async () => ((await fleet.counts()).failed ?? 0) === 12);
    const ids = (await fleet.rows()).map(({ id }) => id);
    const [some, others] = [ids.slice(0, 6), ids.slice(6)];
    const endings = await Promise.all(
      [some, others].map((only) => fleet.batch('retry', '--only', only.join(','), '--yes')),
    );
    for (const { code, stdout, stderr } of endings) expect(code, stdout + stderr).toBe(1);
    expect(await fleet.allFlaws(new Map(ids.map((id) => [id, 2])))).toEqual([]);
    for (const { id, attempts } of await fleet.rows()) expect(attempts, id).toHaveLength(2);
  });

  it('resolve: a task that is adopted twice is the task of its row once', {
    timeout: 600_000,
  }, async () => {
    await using fleet = await openFleet({
      ...pace,
      rows: 1,
      service: ['--duration', '300ms', '--fault', 'reset-after=100%'],
    });
    await fleet.openSeats(1, '--drain');
    await fleet.drain();
    expect(await fleet.counts()).toMatchObject({ uncertain: 1 });
    const [task] = (await fleet.ledger()).tasks;
    const endings = await Promise.all([
      fleet.batch('resolve', 'q1', '--task-id', task?.task_id ?? ''),
      fleet.batch('resolve', 'q1', '--task-id', task?.task_id ?? ''),
    ]);
    expect(endings.map(({ code }) => code)).toContain(0);
    await fleet.drain();
    expect(await fleet.allFlaws()).toEqual([]);
    expect(await fleet.counts()).toMatchObject({ completed: 1 });
  });

  it('resolve: a row that is returned twice is submitted once', { timeout: 600_000 }, async () => {
    await using fleet = await openFleet({
      ...pace,
      rows: 6,
      service: ['--duration', '300ms', '--fault', 'reset-before=60%'],
    });
    await fleet.openSeats(2, '--drain');
    await fleet.drain();
    const uncertain = (await fleet.rows()).filter(({ status }) => status === 'uncertain').map(({ id }) => id);
    expect(uncertain).not.toEqual([]);
    for (const id of uncertain) {
      const line = ['resolve', id, '--not-created', '--yes'];
      const endings = await Promise.all([fleet.batch(...line), fleet.batch(...line)]);
      expect(endings.map(({ code }) => code)).toContain(0);
    }
    await fleet.drain();
    expect(await fleet.allFlaws()).toEqual([]);
    for (const { id, attempts } of await fleet.rows())
      expect(attempts.length, id).toBeLessThanOrEqual(uncertain.includes(id) ? 2 : 1);
  });

  it('run --add: the rows of both files are there, and each is paid once', { timeout: 600_000 }, async () => {
    await using fleet = await openFleet({
      ...pace,
      rows: 20,
      service: ['--duration', '300ms'],
    });
    await fleet.openSeats(2);
    const endings = await Promise.all([fleet.addRows(20), fleet.addRows(20)]);
    for (const { code, stderr } of endings) expect(code, stderr).toBe(0);
    for (const seat of fleet.seats) await seat.kill('SIGTERM');
    await fleet.drain();
    expect(await fleet.allFlaws()).toEqual([]);
    expect(await fleet.counts()).toMatchObject({ completed: 60 });
  });
});

it('finishes a run whose engine lost all its jobs again and again', { timeout: 600_000 }, async () => {
  await using fleet = await openFleet({
    ...pace,
    rows: 120,
    service: ['--duration', '1s'],
  });
  await fleet.openSeats(3, '--drain');
  for (let time = 1; time <= 5; time += 1) {
    await fleet.moved(12);
    await fleet.query('DELETE FROM "batch_fleet_jobs".job');
  }
  await fleet.drain();
  expect(await fleet.allFlaws()).toEqual([]);
  expect(await fleet.counts()).toMatchObject({ completed: 120 });
});

it('ends with exit code 4 and one line when the folder of the videos is replaced; what was paid is fetched later', {
  timeout: 600_000,
}, async () => {
  await using fleet = await openFleet({
    ...pace,
    rows: 60,
    service: ['--duration', '1s'],
  });
  await fleet.openSeats(2, '--drain');
  await fleet.until(async () => ((await fleet.counts()).completed ?? 0) > 3);
  const { address: out } = fleet.outputs;
  await rename(out, `${out}-moved`);
  await writeFile(out, 'no folder');
  const endings = await Promise.all(fleet.seats.map(({ running }) => running.ended));
  for (const { code, stderr } of endings) {
    expect(code, stderr).toBe(4);
    expect(stderr.trimEnd().split('\n'), stderr).toHaveLength(1);
  }
  expect(await fleet.moneyFlaws()).toEqual([]);
  const { accepted } = await fleet.ledger();
  await rm(out);
  await rename(`${out}-moved`, out);
  await fleet.drain();
  expect(accepted).toBeLessThan(60);
  expect(await fleet.allFlaws()).toEqual([]);
  expect(await fleet.counts()).toMatchObject({ completed: 60 });
});
