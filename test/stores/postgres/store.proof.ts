/** What the store on PostgreSQL saves and shares. How it imports: difference.proof.ts. The whole suite is tried on Debian's server, by night. */

import { describeStore } from '../../support/store-contract.ts';
import { startPlaces } from './place.ts';

const { openPlace, openScratch, openEmpty } = await startPlaces();

describeStore('the store on PostgreSQL', openPlace, {
  openScratch,
  openEmpty,
  isShared: true,
  isShort: true,
  tries: 0.03,
});
