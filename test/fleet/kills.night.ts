/** `kill -9` of any of three workers, again and again. */

import { describe, expect, it } from 'vitest';
import { Dice } from '../sim/dice.ts';
import { openFleet } from '../support/fleet.ts';
import { nightSeed } from '../support/nightly.ts';

const kills = 100;
/** Rows for each kill: workers are always in the middle of something. */
const rowsEach = 8;

describe(`workers that are killed ${kills} times`, () => {
  it('pay nothing twice, and the store knows every accepted task or its row is uncertain', {
    timeout: 1_800_000,
  }, async () => {
    const dice = new Dice(nightSeed, 'kills');
    await using fleet = await openFleet({
      rows: rowsEach * kills,
      concurrency: 100,
      poll: '500ms',
      // Some creations are answered late, so that kills find them on their way.
      service: ['--duration', '1s', '--fault', 'slow=10%'],
    });
    await fleet.openSeats(3, '--request-timeout', '10s');
    let killed = 0;
    while (killed < kills) {
      await fleet.moved(dice.integer(1, 12));
      const seat = dice.pick(fleet.seats as [(typeof fleet.seats)[0]]);
      if ((await seat.kill())?.signal === 'SIGKILL') killed += 1;
      expect(await fleet.moneyFlaws()).toEqual([]);
      seat.start('--request-timeout', '10s');
    }
    for (const seat of fleet.seats) await seat.kill();
    await fleet.drain('--request-timeout', '10s');
    expect(await fleet.allFlaws()).toEqual([]);
    const { completed = 0, uncertain = 0 } = await fleet.counts();
    expect(completed + uncertain).toBe(rowsEach * kills);
    // Doubts are what creations on their way cost, and nothing else does.
    expect(uncertain).toBeLessThan(kills * 4);
  });
});
