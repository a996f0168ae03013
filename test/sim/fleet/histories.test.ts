/** The store of the simulated fleets beside the one of a folder; beside PostgreSQL, too, in the proof. */

import { it } from 'vitest';
import { openScratchStore } from '../../../src/stores/sqlite/sqlite-store.ts';
import { playHistory } from '../../support/shared-histories.ts';
import { openSharedScratch } from './shared-store.ts';

const seeds = Array.from({ length: 12 }, (_, at) => at + 1);

it.each(seeds)('the same history is the same in both stores that need no server (seed %i)', async (seed) => {
  const fleet = openSharedScratch(2);
  await using _ = fleet[0];
  await using folder = openScratchStore();
  await playHistory(seed, 200, { 'the store of a simulated fleet': fleet, SQLite: [folder] });
});
