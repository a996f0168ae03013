/** The laws of the contract suite, with all their tries. */

import { describe } from 'vitest';
import { openScratchStore, sqliteStoreIn } from '../../../src/stores/sqlite/sqlite-store.ts';
import { runsIn } from '../../support/store-contract/runs.ts';
import { describeLaws } from '../../support/store-contract.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const openPlace = async () => {
  const folder = await temporaryFolder();
  return {
    place: sqliteStoreIn(folder.path, { pid: process.pid, now: Date.now, isRunning: () => false }),
    [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose](),
  };
};

describe('the store on SQLite', () => {
  describeLaws(runsIn(openPlace, { openScratch: async () => openScratchStore() }));
});
