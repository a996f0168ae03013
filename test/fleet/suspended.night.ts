/** Workers that are stopped for longer than anybody waits for them, and then go on as if nothing had happened. */

import { describe, expect, it } from 'vitest';
import { openFleet } from '../support/fleet.ts';

const rounds = 4;
/** Of seven workers; each round takes as long as an answer may, which is over a minute. */
const stoppedAtOnce = 5;
const rowsEach = 60;

describe(`workers that are suspended ${rounds * stoppedAtOnce} times beyond the time of their answers`, () => {
  it('send nothing twice, and record every answer that waited for them', { timeout: 2_400_000 }, async () => {
    await using fleet = await openFleet({
      rows: rowsEach * rounds,
      concurrency: 60,
      poll: '500ms',
      // Every creation is answered late: at any time some are on their way.
      service: ['--duration', '1s', '--fault', 'slow=100%'],
    });
    await fleet.openSeats(stoppedAtOnce + 2, '--request-timeout', '10s');
    let late = 0;
    for (let round = 1; round <= rounds; round += 1) {
      await fleet.until(async () => {
        const { submitting = 0, pending = 0 } = await fleet.counts();
        return submitting > stoppedAtOnce || pending === 0;
      });
      const stopped = fleet.seats.slice(0, stoppedAtOnce);
      await Promise.all(stopped.map(({ running }) => running.suspend()));
      const onTheirWay = await fleet.query<{ key: string }>(
        "SELECT key FROM items WHERE status = 'submitting'",
      );
      const keys = onTheirWay.map(({ key }) => key);
      // Others give them up once no answer can come any more.
      await fleet.until(async () => {
        const rows = await fleet.query("SELECT 1 FROM items WHERE status = 'submitting' AND key = ANY ($1)", [
          keys,
        ]);
        return rows.length === 0;
      });
      const unknown = await fleet.unknownTasks();
      late += unknown.length;
      expect(await fleet.moneyFlaws()).toEqual([]);
      for (const { running } of stopped) running.kill('SIGCONT');
      await fleet.until(async () => {
        const missing = new Set(await fleet.unknownTasks());
        return !unknown.some((task) => missing.has(task));
      });
      expect(await fleet.moneyFlaws()).toEqual([]);
    }
    expect(late).toBeGreaterThan(0);
    expect(fleet.seats.flatMap(({ endings }) => endings)).toEqual([]);
    for (const seat of fleet.seats) await seat.kill('SIGTERM');
    await fleet.drain('--request-timeout', '10s');
    expect(await fleet.allFlaws()).toEqual([]);
    expect(await fleet.unknownTasks()).toEqual([]);
    expect(await fleet.counts()).toMatchObject({ completed: rowsEach * rounds });
  });
});
