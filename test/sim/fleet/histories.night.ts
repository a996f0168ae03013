/** The store of the simulated fleets, SQLite and PostgreSQL give the same answers to the same histories. */

import { it } from 'vitest';
import { openScratchStore } from '../../../src/stores/sqlite/sqlite-store.ts';
import { startPlaces } from '../../stores/postgres/place.ts';
import { nightSeed } from '../../support/nightly.ts';
import { playHistory } from '../../support/shared-histories.ts';
import { openSharedScratch } from './shared-store.ts';

const places = await startPlaces();

const seeds = Array.from({ length: 4 }, (_, at) => nightSeed + at);

it.each(seeds)('the same history is the same in all stores (seed %i)', { timeout: 600_000 }, async (seed) => {
  const fleet = openSharedScratch(2);
  await using _ = fleet[0];
  await using folder = openScratchStore();
  await using opened = await places.openEmpty();
  await using first = await opened.place.open();
  await using second = await opened.place.open();
  await playHistory(seed, 1_000, {
    PostgreSQL: [first, second],
    'the store of a simulated fleet': fleet,
    SQLite: [folder],
  });
});
