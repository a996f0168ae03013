/** The path between a worker and PostgreSQL breaks at the moments that matter. */

import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { Dice } from '../sim/dice.ts';
import { type Fleet, openFleet, type Seat } from '../support/fleet.ts';
import { journalOf } from '../support/journal-of.ts';
import { nightSeed } from '../support/nightly.ts';
import type { TcpProxy } from '../support/tcp-proxy.ts';

const times = 10;

/** What only a claim says, and what only the record of its answer says. */
const claim = '"old_status":"pending"';
const record = '"old_status":"submitting"';

const points = [
  { name: "before the claim's commit", text: claim, what: 'statement', leaves: 'reset' },
  { name: "after the claim's commit, its answer lost", text: claim, what: 'answer', leaves: 'reset' },
  { name: 'before the record', text: record, what: 'statement', leaves: 'reset' },
  { name: 'after the record, its answer lost', text: record, what: 'answer', leaves: 'reset' },
  { name: "half open from the claim's answer on", text: claim, what: 'answer', leaves: 'silence' },
  { name: "half open from the record's answer on", text: record, what: 'answer', leaves: 'silence' },
] as const;

/** Rows that are added until one of them meets the break. */
const rowsEach = 12;

describe.concurrent(`a path to PostgreSQL that breaks ${times} times`, () => {
  for (const { name, text, what, leaves } of points) {
    it(`${name}: nothing is paid twice, and every row gets its video`, { timeout: 1_200_000 }, async () => {
      const dice = new Dice(nightSeed, name);
      await using fleet = await openFleet({
        rows: rowsEach,
        concurrency: 12,
        poll: '500ms',
        service: ['--duration', '500ms'],
      });
      await fleet.openSeats(2);
      for (let time = 1; time <= times; time += 1) {
        await breakOnce(fleet, dice.pick(fleet.seats as [Seat, ...Seat[]]), text, { what, leaves });
        expect(await fleet.moneyFlaws()).toEqual([]);
      }
      // A worker that is told to leave while its path is silent leaves its claims to be uncertain.
      await fleet.until(() => fleet.isSettled());
      expect(fleet.seats.flatMap(({ endings }) => endings)).toEqual([]);
      for (const seat of fleet.seats) await seat.kill('SIGTERM');
      await fleet.drain();
      expect(await fleet.allFlaws()).toEqual([]);
      expect(await fleet.counts()).toMatchObject({ completed: fleet.rowCount });
    });
  }

  it('while a worker opens the engine: it opens it again', { timeout: 1_200_000 }, async () => {
    await using fleet = await openFleet({
      rows: rowsEach,
      concurrency: 12,
      poll: '500ms',
      service: ['--duration', '500ms'],
    });
    const seat = await fleet.openSeat();
    const lost = seat.proxy.lose('batch_fleet_jobs', { what: 'statement' });
    seat.start('--drain');
    await lost;
    expect(await seat.running.ended).toMatchObject({ code: 0 });
    expect(await fleet.allFlaws()).toEqual([]);
    expect(await fleet.counts()).toMatchObject({ completed: rowsEach });
  });

  it('before the record, and the worker dies: the next one there finds the task in its journal', {
    timeout: 1_200_000,
  }, async () => {
    await using fleet = await openFleet({
      rows: rowsEach,
      concurrency: 12,
      poll: '500ms',
      service: ['--duration', '500ms'],
    });
    await fleet.openSeats(2, '--request-timeout', '5s');
    for (let time = 1; time <= times; time += 1) {
      const seat = fleet.seats[time % 2] as Seat;
      // At once, before it can be recorded again. What else is on its way is answered, and kept.
      await breakOnce(fleet, seat, record, { what: 'statement' }, () => {
        for (const { proxy } of fleet.seats) proxy.cut();
      });
      let unknown: readonly string[] = [];
      await fleet.until(async () => {
        unknown = await fleet.unknownTasks();
        const kept = new Set(fleet.seats.flatMap(({ name }) => journalOf(join(fleet.folder, name))));
        return unknown.every((task) => kept.has(task));
      });
      expect(unknown.length).toBeGreaterThan(0);
      await seat.kill();
      for (const { proxy } of fleet.seats) proxy.pass();
      seat.start('--request-timeout', '5s');
      await fleet.until(async () => {
        const missing = new Set(await fleet.unknownTasks());
        return !unknown.some((task) => missing.has(task));
      });
      expect(await fleet.moneyFlaws()).toEqual([]);
    }
    for (const seat of fleet.seats) await seat.kill('SIGTERM');
    await fleet.drain();
    expect(await fleet.allFlaws()).toEqual([]);
    expect(await fleet.unknownTasks()).toEqual([]);
  });
});

/** Loses this on the path of the seat, and adds rows until that has happened: the other worker may take them all. */
async function breakOnce(
  fleet: Fleet,
  seat: Seat,
  text: string,
  loss: Parameters<TcpProxy['lose']>[1],
  atOnce: () => void = () => {},
): Promise<void> {
  let isLost = false;
  const lost = seat.proxy.lose(text, loss).then(() => {
    atOnce();
    isLost = true;
  });
  while (!isLost) {
    await fleet.addRows(rowsEach);
    await fleet.until(async () => isLost || (await fleet.isSettled()));
  }
  await lost;
}
