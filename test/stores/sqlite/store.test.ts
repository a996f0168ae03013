import { openScratchStore, sqliteStoreIn } from '../../../src/stores/sqlite/sqlite-store.ts';
import { describeStore } from '../../support/store-contract.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

describeStore(
  'the store on SQLite',
  async () => {
    const folder = await temporaryFolder();
    return {
      place: sqliteStoreIn(folder.path, { pid: process.pid, now: Date.now, isRunning: () => false }),
      [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose](),
    };
  },
  // The laws are tried more often in the proof.
  { openScratch: async () => openScratchStore(), tries: 0.25 },
);
