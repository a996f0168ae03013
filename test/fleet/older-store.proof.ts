/** A database that went back in time: restored from a backup while its workers know more. */

import { describe, expect, it } from 'vitest';
import { openFleet } from '../support/fleet.ts';

const rows = 40;

describe('a database that is restored to an older state', () => {
  it('gets no creation, from workers that live nor from those that start, until the user has settled it', {
    timeout: 600_000,
  }, async () => {
    await using fleet = await openFleet({
      ...{ rows, concurrency: 3, poll: '300ms' },
      service: ['--duration', '300ms'],
    });
    await fleet.openSeats(2);
    await fleet.until(async () => (await fleet.ledger()).accepted >= 8);
    const restore = await fleet.postgres.backUp();
    await fleet.until(async () => (await fleet.ledger()).accepted >= 20);
    await restore();
    const isHeld = "SELECT value::json ->> 'isSettled' AS settled FROM settings WHERE name = 'older-store'";
    const settled = async () => (await fleet.query<{ settled: string }>(isHeld))[0]?.settled ?? null;
    await fleet.until(async () => (await settled()) === 'false');
    const { accepted } = await fleet.ledger();
    const [first, second] = fleet.seats;
    await first?.kill();
    first?.start();
    await second?.kill('SIGTERM');
    second?.start();
    // Open tasks of the older state are looked after, and everything else waits.
    await fleet.until(async () => {
      const { submitting = 0, open = 0, downloading = 0 } = await fleet.counts();
      return submitting + open + downloading === 0;
    });
    expect((await fleet.ledger()).accepted).toBe(accepted);
    expect(fleet.seats.every(({ isRunning }) => isRunning)).toBe(true);

    // The user names the tasks that the account shows and the store forgot, then says that all is settled.
    const { tasks } = await fleet.ledger();
    const unknown = new Set(await fleet.unknownTasks());
    const texts = await fleet.query<{ id: string; question: string }>(
      "SELECT i.id, q.input::json ->> 'question' AS question FROM items i JOIN questions q ON q.item = i.key WHERE i.status IN ('pending', 'uncertain')",
    );
    expect(unknown.size).toBeGreaterThan(0);
    const adopted = tasks.filter(({ task_id }) => unknown.has(task_id));
    for (const { task_id, question } of adopted) {
      const row = texts.find((each) => each.question === question);
      const ending = await fleet.batch('resolve', row?.id ?? '', '--task-id', task_id);
      expect(ending.code, ending.stderr).toBe(0);
    }
    expect((await fleet.batch('resolve', '--accept-store')).code).toBe(0);
    await fleet.until(() => fleet.isSettled());
    expect(await fleet.moneyFlaws()).toEqual([]);
    expect(await fleet.counts()).toMatchObject({ completed: rows });
  });
});
