/** The contract suite on the PostgreSQL of Debian; by night with more tries of its properties. */

import { expect, it } from 'vitest';
import { debianPostgres } from '../../support/postgres.ts';
import { describeStore } from '../../support/store-contract.ts';
import { startPlaces } from './place.ts';

if (debianPostgres() === null)
  it("Debian's PostgreSQL is installed", () => {
    expect.fail('it is not: `apt-get install postgresql` and try again');
  });
else {
  const { openPlace, openScratch, openEmpty } = await startPlaces({ from: 'debian' });
  describeStore("the store on Debian's PostgreSQL", openPlace, {
    openScratch,
    openEmpty,
    isShared: true,
    // Each try takes as long as a hundred on a local file.
    tries: 0.25,
  });
}
