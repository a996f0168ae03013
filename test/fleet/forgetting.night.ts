/** A store that forgets: a standby that lagged behind takes over, or a backup is put back, while the workers know more. */

import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { type Fleet, openFleet, type Seat } from '../support/fleet.ts';
import { sentBelow } from '../support/sent-below.ts';

const rows = 60;
const times = 3;
const timeout = 600_000;

/** Submitting goes on all the time, so that each moment has creations that are forgotten. */
function openBusyFleet(): Promise<Fleet> {
  return openFleet({ rows, concurrency: 6, poll: '300ms', service: ['--duration', '400ms'] });
}

/** `isSure`: no worker was killed, which leaves uncertain the rows whose creations were on their way. */
async function expectNothingLost(fleet: Fleet, isSure: boolean): Promise<void> {
  await fleet.until(
    async () => (await fleet.isSettled()) || fleet.seats.every(({ isRunning }) => !isRunning),
  );
  // Those that were killed or told to stop have ended, and no other.
  expect(fleet.seats.filter(({ isRunning }) => !isRunning).flatMap(({ endings }) => endings)).toEqual([]);
  expect(await fleet.moneyFlaws()).toEqual([]);
  const { completed = 0, uncertain = 0 } = await fleet.counts();
  if (isSure) expect(uncertain).toBe(0);
  expect(completed + uncertain).toBe(rows);
  expect((await fleet.unknownTasks()).length).toBeLessThanOrEqual(uncertain);
  const { accepted } = await fleet.ledger();
  expect(accepted).toBeLessThanOrEqual(rows);
  expect(accepted).toBeGreaterThanOrEqual(completed);
}

async function takeOver(lagMs: number, at: 'its own port' | 'the same port'): Promise<void> {
  await using fleet = await openBusyFleet();
  const standby = await fleet.postgres.openStandby();
  await fleet.openSeats(2);
  await fleet.until(async () => (await fleet.ledger()).accepted >= 10);
  standby.cut();
  await pause(lagMs);
  const port = await standby.takeOver(at);
  const isSure = at === 'the same port';
  if (!isSure) {
    for (const seat of fleet.seats) await seat.kill('SIGKILL');
    await fleet.moveTo(port);
    for (const seat of fleet.seats) seat.start();
  }
  await expectNothingLost(fleet, isSure);
  if (isSure) expect(fleet.seats.flatMap(({ endings }) => endings)).toEqual([]);
}

const lags = [200, 700, 4_000];

describe.each(Array.from({ length: times }, (_, at) => at + 1))('a standby that takes over (%d)', () => {
  it.each(lags)(
    '%d ms behind, at the same address: nothing is paid twice, and every creation is in the run',
    { timeout },
    (lagMs) => takeOver(lagMs, 'the same port'),
  );

  it.each(lags)(
    '%d ms behind, at another address: nothing is paid twice, and every creation is in the run',
    { timeout },
    (lagMs) => takeOver(lagMs, 'its own port'),
  );
});

/** This worker alone sends some rows, and stops. */
async function sendSome(fleet: Fleet, seat: Seat): Promise<void> {
  const sent = (): number => sentBelow(join(fleet.folder, seat.name));
  const before = sent();
  seat.start();
  await fleet.until(() => sent() >= before + 3);
  await seat.kill('SIGTERM');
}

describe('a backup that is put back', () => {
  it.each(Array.from({ length: times }, (_, at) => at + 1))(
    'as another database: --moved pays nothing twice, and every creation is in the run (%d)',
    { timeout },
    async () => {
      await using fleet = await openBusyFleet();
      await fleet.openSeats(2);
      await fleet.until(async () => (await fleet.ledger()).accepted >= 5);
      const copy = await fleet.copyDatabase();
      await fleet.until(async () => (await fleet.ledger()).accepted >= 30);
      for (const seat of fleet.seats) await seat.kill('SIGKILL');
      fleet.useDatabase(copy);
      for (const seat of fleet.seats) seat.start('--moved');
      await expectNothingLost(fleet, false);
    },
  );

  it('on one machine after the other: nothing is paid before the last has put back what it sent', {
    timeout,
  }, async () => {
    await using fleet = await openBusyFleet();
    const [first, second] = [await fleet.openSeat(), await fleet.openSeat()];
    await sendSome(fleet, first);
    const copy = await fleet.copyDatabase();
    // The first machine sees last what was sent in all.
    for (const seat of [second, first]) await sendSome(fleet, seat);
    const { accepted } = await fleet.ledger();
    fleet.useDatabase(copy);
    first.start('--moved');
    // It has put back its own, and lacks those of the other machine.
    await fleet.until(async () => {
      const [found] = await fleet.query<{ lacks: boolean }>(
        `SELECT (value::jsonb ->> 'least')::int > (SELECT sum(attempts) FROM sums) AS lacks FROM settings WHERE name = 'older-store'`,
      );
      return found?.lacks === true;
    });
    expect((await fleet.ledger()).accepted).toBe(accepted);
    second.start('--moved');
    await expectNothingLost(fleet, true);
  });
});
