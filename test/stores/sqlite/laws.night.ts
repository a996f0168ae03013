/** The laws of the contract suite, with all their tries. */

import { describe } from 'vitest';
import { openScratchStore } from '../../../src/stores/sqlite/sqlite-store.ts';
import { runsIn } from '../../support/store-contract/runs.ts';
import { describeLaws } from '../../support/store-contract.ts';
import { openPlace } from './place.ts';

describe('the store on SQLite', () => {
  describeLaws(runsIn(openPlace, { openScratch: async () => openScratchStore() }));
});
