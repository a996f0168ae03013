import { openScratchStore, sqliteStoreIn } from '../../../src/adapters/sqlite/sqlite-store.ts';
import { describeStore } from '../../support/store-contract.ts';
import { temporaryFolder } from '../temporary-folder.ts';

describeStore(
  'the store on SQLite',
  async () => {
    const folder = await temporaryFolder();
    return {
      place: sqliteStoreIn(folder.path),
      [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose](),
    };
  },
  { openScratch: async () => openScratchStore() },
);
