/** A run on three workers, one of which dies: the whole story in a few seconds. */

import { expect, it } from 'vitest';
import { openFleet } from '../support/fleet.ts';

it('finishes a run of three workers when one of them is killed, each question paid once', async () => {
  await using fleet = await openFleet({
    rows: 24,
    concurrency: 24,
    poll: '500ms',
    service: ['--duration', '3s'],
  });
  await fleet.openSeats(3, '--drain');
  await fleet.until(async () => {
    const { pending = 0, submitting = 0, open = 0 } = await fleet.counts();
    return pending + submitting === 0 && open > 0;
  });
  await fleet.seats[0]?.kill();
  await fleet.drain();
  expect(await fleet.allFlaws()).toEqual([]);
  expect(await fleet.counts()).toMatchObject({ completed: 24 });
});
