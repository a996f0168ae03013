/** What the store on PostgreSQL saves and shares; the whole suite is tried on Debian's server in the proof. */

import { afterAll } from 'vitest';
import { startPostgres } from '../../support/postgres.ts';
import { describeStore } from '../../support/store-contract.ts';
import { placesOn } from './place.ts';

const server = await startPostgres();
const places = await placesOn(server);
afterAll(async () => {
  await places[Symbol.asyncDispose]();
  await server[Symbol.asyncDispose]();
});

const { openScratch, openEmpty } = places;

describeStore('the store on PostgreSQL', places.openPlace, {
  openScratch,
  openEmpty,
  isShared: true,
  isShort: true,
  tries: 0.03,
});
