/** A run that goes from SQLite to PostgreSQL and back is the run that it was. */

import { expect, it } from 'vitest';
import { openScratchStore } from '../../../src/stores/sqlite/sqlite-store.ts';
import { startPlaces } from '../../stores/postgres/place.ts';
import { carry, liveThrough, recordsOf, seen } from '../../support/store-contract/archive.ts';
import { runOver } from '../../support/store-run.ts';

const places = await startPlaces();

it('a run is the same in PostgreSQL, and the same again in SQLite', async () => {
  await using first = openScratchStore();
  await using shared = await places.openScratch();
  await using last = openScratchStore();
  await liveThrough(runOver(first));
  await carry(runOver(first), shared);
  expect(await recordsOf(shared)).toEqual(await recordsOf(first));
  expect(await seen(runOver(shared))).toEqual(await seen(runOver(first)));
  await carry(runOver(shared), last);
  expect(await recordsOf(last)).toEqual(await recordsOf(first));
  expect(await seen(runOver(last))).toEqual(await seen(runOver(first)));
  await last.checkSound();
});
