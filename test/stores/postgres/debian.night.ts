/** The contract suite on the PostgreSQL of Debian; by night with more tries of its properties. */

import { afterAll, expect, it } from 'vitest';
import { debianPostgres, startPostgres } from '../../support/postgres.ts';
import { describeStore } from '../../support/store-contract.ts';
import { placesOn } from './place.ts';

if (debianPostgres() === null)
  it("Debian's PostgreSQL is installed", () => {
    expect.fail('it is not: `apt-get install postgresql` and try again');
  });
else {
  const server = await startPostgres({ from: 'debian' });
  const places = await placesOn(server);
  afterAll(async () => {
    await places[Symbol.asyncDispose]();
    await server[Symbol.asyncDispose]();
  });
  const { openScratch, openEmpty } = places;
  describeStore("the store on Debian's PostgreSQL", places.openPlace, {
    openScratch,
    openEmpty,
    isShared: true,
    // Each try takes as long as a hundred on a local file.
    tries: 0.25,
  });
}
