/** A store that others hold for longer than a statement waits, as the import of a long file does: it is busy, and not away. */

import { expect, it } from 'vitest';
import { openFleet } from '../support/fleet.ts';

it('a worker waits for a long import without a word', { timeout: 600_000 }, async () => {
  await using fleet = await openFleet({
    rows: 30,
    concurrency: 5,
    poll: '300ms',
    service: ['--duration', '300ms'],
  });
  const worker = fleet.start(['worker', '--drain']);
  await fleet.until(async () => (await fleet.ledger()).accepted >= 5);
  await fleet.query(`DO $$ BEGIN PERFORM 1 FROM run FOR UPDATE; PERFORM pg_sleep(12); END $$`);
  const { code, stderr } = await worker.ended;
  expect([code, stderr]).toEqual([0, expect.not.stringMatching(/answer/)]);
  expect(await fleet.allFlaws()).toEqual([]);
  expect((await fleet.ledger()).accepted).toBe(30);
});
