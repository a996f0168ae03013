/** PostgreSQL killed and started again under load. */

import { describe, expect, it } from 'vitest';
import { Dice } from '../sim/dice.ts';
import { openFleet } from '../support/fleet.ts';
import { nightSeed } from '../support/nightly.ts';

const deaths = 20;
const rowsEach = 25;

describe(`PostgreSQL that is killed ${deaths} times under load`, () => {
  it('costs nothing: no worker ends, no question is paid twice, every row gets its video', {
    timeout: 1_800_000,
  }, async () => {
    const dice = new Dice(nightSeed, 'deaths');
    await using fleet = await openFleet({
      rows: rowsEach * deaths,
      concurrency: 20,
      poll: '500ms',
      service: ['--duration', '1s', '--fault', 'slow=5%'],
    });
    await fleet.openSeats(3, '--drain', '--request-timeout', '10s');
    for (let death = 1; death <= deaths; death += 1) {
      await fleet.moved(dice.integer(5, 25));
      await fleet.postgres.kill();
      // Away for as long as creations are answered meanwhile.
      const { accepted } = await fleet.ledger();
      const patience = Date.now() + dice.integer(0, 2_000);
      await fleet.until(async () => (await fleet.ledger()).accepted > accepted + 1 || Date.now() > patience);
      await fleet.postgres.start();
      expect(await fleet.moneyFlaws()).toEqual([]);
    }
    expect(fleet.seats.flatMap(({ endings }) => endings)).toEqual([]);
    await fleet.drain();
    expect(await fleet.allFlaws()).toEqual([]);
    expect(await fleet.counts()).toMatchObject({ completed: rowsEach * deaths });
    for (const { endings } of fleet.seats) expect(endings).toMatchObject([{ code: 0 }]);
  });
});
