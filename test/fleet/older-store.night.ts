/** A database that went back in time: restored from a backup while its workers know more. */

import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Fleet, openFleet, type Seat } from '../support/fleet.ts';
import { sentBelow } from '../support/sent-below.ts';

const rows = 40;
const pace = { rows, concurrency: 3, poll: '300ms', service: ['--duration', '300ms'] } as const;

/** Until this worker has sent more creations than can be open at once. */
async function sendsMore(fleet: Fleet, seat: Seat | undefined): Promise<void> {
  const sent = (): number => sentBelow(join(fleet.folder, seat?.name ?? ''));
  const before = sent();
  await fleet.until(() => sent() > before + pace.concurrency);
}

describe('a database that is restored to an older state', () => {
  it('puts back what its workers know, from workers that live and from those that start', {
    timeout: 600_000,
  }, async () => {
    await using fleet = await openFleet(pace);
    await fleet.openSeats(2);
    await fleet.until(async () => (await fleet.ledger()).accepted >= 8);
    const restore = await fleet.postgres.backUp();
    await fleet.until(async () => (await fleet.ledger()).accepted >= 20);
    const [first] = fleet.seats;
    await first?.kill();
    await restore();
    first?.start();
    await fleet.until(() => fleet.isSettled());
    expect(await fleet.moneyFlaws()).toEqual([]);
    expect(await fleet.unknownTasks()).toEqual([]);
    expect(await fleet.counts()).toMatchObject({ completed: rows });
  });

  it('gets no creation while those of a lost machine are missing, until the user has settled them', {
    timeout: 600_000,
  }, async () => {
    // So many that they outlast what both workers send before they are killed, however late that is noticed.
    const many = 2 * rows;
    await using fleet = await openFleet({ ...pace, rows: many });
    await fleet.openSeats(2);
    await fleet.until(async () => (await fleet.ledger()).accepted >= 8);
    const restore = await fleet.postgres.backUp();
    const [first, second] = fleet.seats;
    // The other one alone, then this one alone: each has sent more than the backup can have as on their way, and this one has seen it.
    await first?.kill();
    await sendsMore(fleet, second);
    first?.start();
    await second?.kill();
    await sendsMore(fleet, first);
    await first?.kill();
    await rm(join(fleet.folder, second?.name ?? ''), { recursive: true });
    await restore();
    const { accepted, tasks } = await fleet.ledger();
    first?.start('--drain');
    const held = await first?.running.ended;
    expect([4, 5], held?.stderr).toContain(held?.code);
    expect(held?.stderr).toContain('creations that other machines sent');
    expect((await fleet.ledger()).accepted).toBe(accepted);

    // The user names the tasks that the account shows and the store forgot, then says that all is settled.
    const unknown = new Set(await fleet.unknownTasks());
    const texts = await fleet.query<{ id: string; question: string }>(
      "SELECT i.id, q.input::json ->> 'question' AS question FROM items i JOIN questions q ON q.item = i.key WHERE i.status IN ('pending', 'uncertain')",
    );
    expect(unknown.size).toBeGreaterThan(0);
    for (const { task_id, question } of tasks.filter((task) => unknown.has(task.task_id))) {
      const row = texts.find((each) => each.question === question);
      const ending = await fleet.batch('resolve', row?.id ?? '', '--task-id', task_id);
      expect(ending.code, ending.stderr).toBe(0);
    }
    expect((await fleet.batch('resolve', '--accept-store')).code).toBe(0);
    first?.start();
    await fleet.until(() => fleet.isSettled());
    expect(await fleet.moneyFlaws()).toEqual([]);
    // A creation that was on its way when its process was killed got no answer.
    const { completed = 0, uncertain = 0 } = await fleet.counts();
    expect(completed + uncertain).toBe(many);
    expect(uncertain).toBeLessThanOrEqual(pace.concurrency);
  });
});
