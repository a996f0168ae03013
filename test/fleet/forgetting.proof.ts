/** A store that forgets: a standby that lagged behind takes over, or a backup is put back, while the workers know more. */

import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { type Fleet, openFleet } from '../support/fleet.ts';
import { isNightly } from '../support/nightly.ts';
import { sentBelow } from '../support/sent-below.ts';

const rows = 80;
const times = isNightly ? 20 : 1;

/** Submitting goes on all the time, so that each moment has creations that are forgotten. */
function openBusyFleet(): Promise<Fleet> {
  return openFleet({ rows, concurrency: 6, poll: '300ms', service: ['--duration', '400ms'] });
}

async function expectNothingLost(fleet: Fleet): Promise<void> {
  await fleet.until(
    async () => (await fleet.isSettled()) || fleet.seats.every(({ isRunning }) => !isRunning),
  );
  // Those that were killed or told to drain have ended, and no other.
  expect(fleet.seats.filter(({ isRunning }) => !isRunning).flatMap(({ endings }) => endings)).toEqual([]);
  expect(await fleet.moneyFlaws()).toEqual([]);
  expect(await fleet.unknownTasks()).toEqual([]);
  expect((await fleet.ledger()).accepted).toBe(rows);
  expect(await fleet.counts()).toMatchObject({ completed: rows });
}

const lags = isNightly ? [200, 700, 4_000] : [700, 4_000];

describe.each(lags)('a standby that is %d ms behind and takes over', (lagMs) => {
  for (let time = 1; time <= times; time += 1) {
    it(`at the same address: nothing is paid twice, and every creation is in the run (${time})`, {
      timeout: 600_000,
    }, async () => {
      await using fleet = await openBusyFleet();
      const standby = await fleet.postgres.openStandby();
      await fleet.openSeats(2);
      await fleet.until(async () => (await fleet.ledger()).accepted >= 10);
      standby.cut();
      await pause(lagMs);
      await standby.takeOver('the same port');
      await expectNothingLost(fleet);
      expect(fleet.seats.flatMap(({ endings }) => endings)).toEqual([]);
    });

    it(`at another address: nothing is paid twice, and every creation is in the run (${time})`, {
      timeout: 600_000,
    }, async () => {
      await using fleet = await openBusyFleet();
      const standby = await fleet.postgres.openStandby();
      await fleet.openSeats(2);
      await fleet.until(async () => (await fleet.ledger()).accepted >= 10);
      standby.cut();
      await pause(lagMs);
      const port = await standby.takeOver('its own port');
      for (const seat of fleet.seats) await seat.kill('SIGKILL');
      await fleet.moveTo(port);
      for (const seat of fleet.seats) seat.start();
      await expectNothingLost(fleet);
    });
  }
});

describe('a backup that is put back', () => {
  for (let time = 1; time <= times; time += 1)
    it(`as another database: --moved pays nothing twice, and every creation is in the run (${time})`, {
      timeout: 600_000,
    }, async () => {
      await using fleet = await openBusyFleet();
      await fleet.openSeats(2);
      await fleet.until(async () => (await fleet.ledger()).accepted >= 5);
      const copy = await fleet.copyDatabase();
      await fleet.until(async () => (await fleet.ledger()).accepted >= 30);
      for (const seat of fleet.seats) await seat.kill('SIGKILL');
      fleet.useDatabase(copy);
      for (const seat of fleet.seats) seat.start('--moved');
      await expectNothingLost(fleet);
    });

  it('on one machine after the other: nothing is paid before the last has put back what it sent', {
    timeout: 600_000,
  }, async () => {
    await using fleet = await openBusyFleet();
    await fleet.openSeats(2);
    const sent = () => fleet.seats.map(({ name }) => sentBelow(join(fleet.folder, name)));
    await fleet.until(() => sent().every((count) => count > 0));
    const copy = await fleet.copyDatabase();
    const before = sent();
    await fleet.until(() => sent().every((count, at) => count > (before[at] ?? 0)));
    for (const seat of fleet.seats) await seat.kill('SIGTERM');
    const { accepted } = await fleet.ledger();
    fleet.useDatabase(copy);
    const [first, second] = fleet.seats;
    first?.start('--moved', '--drain');
    const ending = await first?.running.ended;
    // A row of the other machine may have been on its way at the moment of the backup.
    expect([4, 5]).toContain(ending?.code);
    expect(ending?.stderr).toContain('creations that other machines sent');
    expect((await fleet.ledger()).accepted).toBe(accepted);
    second?.start('--moved');
    first?.start();
    await expectNothingLost(fleet);
  });
});
