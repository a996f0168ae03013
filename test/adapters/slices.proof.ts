/** Placement of slices by pg-boss, in short. */

import { expect, it } from 'vitest';
import { Fleet, longestOverlapMs } from '../support/placement.ts';
import { startPostgres } from '../support/postgres.ts';

it('two workers share the slices, and one alone has them all again, never a slice with two', async () => {
  await using server = await startPostgres();
  await using fleet = new Fleet(await server.createDatabase());
  await fleet.join('w1');
  await fleet.reach(() => fleet.isFair);
  expect(fleet.shares).toEqual([64]);
  await fleet.join('w2');
  await fleet.reach(() => fleet.isFair);
  expect(fleet.shares).toEqual([32, 32]);
  await fleet.leave('w1');
  await fleet.reach(() => fleet.isFair);
  expect(fleet.shares).toEqual([64]);
  expect(longestOverlapMs(fleet.views)).toBe(0);
});
