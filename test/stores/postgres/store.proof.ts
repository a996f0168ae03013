/** What the store on PostgreSQL saves and shares. How it imports: difference.proof.ts. The whole suite is tried on Debian's server, by night. */

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
