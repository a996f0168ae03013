/** Placement of slices by pg-boss, on a real PostgreSQL server, several workers in this process. */

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SliceJobs } from '../../../src/app/fleet/pg-boss-placement/slice-jobs.ts';
import { StoreAwayError, stackOf } from '../../../src/errors.ts';
import { Fleet, longestOverlapMs, PausableClock } from '../../support/placement.ts';
import { type Postgres, startPostgres } from '../../support/postgres.ts';

let server: Postgres;

beforeAll(async () => {
  server = await startPostgres();
});

afterAll(async () => {
  await server[Symbol.asyncDispose]();
});

/** As the other process would see it after eleven seconds without a heartbeat. */
const silence = (address: string, slices: ReadonlySet<number>): Promise<unknown> =>
  server.query(
    address,
    `UPDATE "batch_my-run_jobs".job SET heartbeat_on = heartbeat_on - interval '11 seconds'
     WHERE state = 'active' AND (data->>'slice')::int IN (${[...slices].join(',')})`,
  );

describe.concurrent('the placement of slices', () => {
  it('gives every worker its fair share as workers come and go, and never a slice to two', async () => {
    await using fleet = new Fleet(await server.createDatabase());
    await fleet.join('w1');
    await fleet.reach(() => fleet.isFair);
    expect(fleet.shares).toEqual([64]);
    await fleet.join('w2');
    await fleet.reach(() => fleet.isFair);
    expect(fleet.shares).toEqual([32, 32]);
    await fleet.join('w3');
    await fleet.reach(() => fleet.isFair);
    await Promise.all([fleet.join('w4'), fleet.join('w5')]);
    await fleet.reach(() => fleet.isFair);
    await Promise.all([fleet.leave('w1'), fleet.leave('w3')]);
    await fleet.reach(() => fleet.isFair);
    await Promise.all([fleet.leave('w2'), fleet.leave('w5')]);
    await fleet.reach(() => fleet.isFair);
    expect(fleet.shares).toEqual([64]);
    expect(longestOverlapMs(fleet.views)).toBe(0);
  });

  it('makes everything again when all jobs, or all rows of the engine, are deleted', async () => {
    const address = await server.createDatabase();
    await using fleet = new Fleet(address);
    await Promise.all([fleet.join('w1'), fleet.join('w2')]);
    await fleet.reach(() => fleet.isFair);
    await server.query(address, 'DELETE FROM "batch_my-run_jobs".job');
    await fleet.reach(() => !fleet.isFair);
    await fleet.reach(() => fleet.isFair);
    await server.query(
      address,
      'TRUNCATE "batch_my-run_jobs".job, "batch_my-run_jobs".queue, "batch_my-run_jobs".version CASCADE',
    );
    await fleet.reach(() => !fleet.isFair);
    await fleet.join('w3');
    await fleet.reach(() => fleet.isFair);
  });

  it('makes everything again when the schema of the engine is dropped', async () => {
    const address = await server.createDatabase();
    await using fleet = new Fleet(address);
    await Promise.all([fleet.join('w1'), fleet.join('w2')]);
    await fleet.reach(() => fleet.isFair);
    await server.query(address, 'DROP SCHEMA "batch_my-run_jobs" CASCADE');
    await fleet.reach(() => !fleet.isFair);
    await fleet.reach(() => fleet.isFair);
  });

  it('takes over from a silent worker, which believes in nothing before it is seen again', async () => {
    const address = await server.createDatabase();
    await using fleet = new Fleet(address);
    const clock = new PausableClock();
    const silent = await fleet.join('w1', { clock });
    const other = await fleet.join('w2');
    await fleet.reach(() => fleet.isFair);
    const lost = silent.slices;
    clock.pause();
    clock.advance(9_000);
    expect(silent.slices).toEqual(new Set());
    expect(silent.isKeeper).toBe(false);
    fleet.live = 1;
    await silence(address, lost);
    await fleet.reach(() => other.slices.size === 64);
    // Its late heartbeat wins nothing back.
    const before = fleet.views.length;
    clock.resume();
    fleet.live = 2;
    await fleet.reach(() => fleet.isFair);
    const seen = fleet.views.slice(before).filter(({ worker }) => worker === 'w1');
    expect(seen[0]?.slices).toEqual([]);
    expect(longestOverlapMs(fleet.views.slice(before))).toBe(0);
  });

  it('holds again what a heartbeat confirms after a pause', async () => {
    await using fleet = new Fleet(await server.createDatabase());
    const clock = new PausableClock();
    const worker = await fleet.join('w1', { clock });
    await fleet.reach(() => fleet.isFair);
    clock.advance(9_000);
    expect(worker.slices.size).toBe(0);
    await fleet.reach(() => fleet.isFair);
    expect(worker.slices.size).toBe(64);
  });

  it('takes its jobs anew after half a day, before pg-boss ends them', async () => {
    const address = await server.createDatabase();
    await using fleet = new Fleet(address);
    const clock = new PausableClock();
    await fleet.join('w1', { clock });
    await fleet.reach(() => fleet.isFair);
    clock.advance(13 * 3_600_000);
    const before = fleet.views.length;
    // The belief ends, is confirmed, and then everything is given back.
    await fleet.reach(
      () => fleet.views.slice(before).filter(({ slices }) => slices.length === 0).length >= 2,
    );
    await fleet.reach(() => fleet.isFair);
    const again = await server.query(address, 'SELECT FROM "batch_my-run_jobs".job WHERE retry_count = 1');
    expect(again).toHaveLength(65);
  });

  it('gives everything back while it cannot work, and comes again', async () => {
    await using fleet = new Fleet(await server.createDatabase());
    let isWorking = true;
    const idle = await fleet.join('w1', { isWorking: () => isWorking });
    const other = await fleet.join('w2');
    await fleet.reach(() => fleet.isFair);
    isWorking = false;
    fleet.live = 1;
    await fleet.reach(() => other.slices.size === 64 && other.isKeeper);
    expect(idle.slices.size).toBe(0);
    isWorking = true;
    fleet.live = 2;
    await fleet.reach(() => fleet.isFair);
  });

  it('takes slices that a counted worker does not come for', async () => {
    await using fleet = new Fleet(await server.createDatabase());
    fleet.live = 2;
    const only = await fleet.join('w1');
    await fleet.reach(() => only.slices.size === 32);
    await fleet.reach(() => only.slices.size === 64);
  });

  it('changes nothing by a late heartbeat or a late farewell', async () => {
    const address = await server.createDatabase();
    const open = (worker: string) =>
      SliceJobs.open(
        { connectionString: address },
        { schema: 'batch_my-run_jobs', worker, onNotice: () => {} },
      );
    const late = await open('late');
    const next = await open('next');
    const held = await late.takeSlices(64);
    expect(held).toHaveLength(64);
    expect(await next.takeSlices(64)).toEqual([]);
    expect((await late.touch(held)).size).toBe(64);
    await silence(address, new Set(held.map(({ slice }) => slice ?? -1)));
    await next.freeSilent();
    expect((await late.touch(held)).size).toBe(0);
    const taken = await next.takeSlices(64);
    expect(taken).toHaveLength(64);
    expect((await late.touch(held)).size).toBe(0);
    await late.giveBack(held);
    expect((await next.touch(taken)).size).toBe(64);
    await Promise.all([late.close(), next.close()]);
  });

  it('continues after a restart of the server', async () => {
    await using own = await startPostgres();
    await using fleet = new Fleet(await own.createDatabase());
    const clock = new PausableClock();
    const worker = await fleet.join('w1', { clock });
    await fleet.reach(() => fleet.isFair);
    await own.kill();
    // Nothing that happens without the server renews the belief.
    clock.advance(9_000);
    await fleet.reach(() => worker.slices.size === 0 && !worker.isKeeper);
    await own.start();
    await fleet.reach(
      () => fleet.isFair && fleet.logged.at(-1)?.startsWith('the engine of the run is back') === true,
    );
    expect(fleet.logged.join('\n')).toContain('the engine of the run is away');
    expect(fleet.logged.join('\n')).not.toContain(own.password);
  });

  it('names no password when it cannot open', async () => {
    const address = await server.createDatabase();
    const wrong = new URL(address);
    wrong.password = 'pa%20ss-secret';
    for (const [spelled, failure] of [
      [String(wrong), 'password authentication failed'],
      ['postgres://batch:pa/ss-secret@127.0.0.1:1:1/none', 'cannot be opened'],
      ['postgres://batch:pa%20ss-secret@127.0.0.1:1/none', 'ECONNREFUSED'],
    ] as const) {
      const error = await new Fleet(spelled).join('w1').catch((caught: unknown) => caught);
      expect(error).toBeInstanceOf(StoreAwayError);
      expect(stackOf(error)).toContain(failure);
      expect(stackOf(error)).not.toContain('secret');
    }
  });
});
