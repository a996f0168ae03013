/** The store of the simulated fleets keeps the contract of the shared one: worlds played on another would prove nothing. */

import { describeStore } from '../../support/store-contract.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { sharedPlaceIn } from './shared-store.ts';

describeStore(
  'the store of a simulated fleet',
  async () => {
    const folder = await temporaryFolder();
    const place = sharedPlaceIn(folder.path);
    return {
      place,
      async [Symbol.asyncDispose]() {
        place[Symbol.dispose]();
        await folder[Symbol.asyncDispose]();
      },
    };
  },
  { isShared: true, tries: 0.1 },
);
