import { openScratchStore } from '../../../src/stores/sqlite/sqlite-store.ts';
import { describeStore } from '../../support/store-contract.ts';
import { openPlace } from './place.ts';

// The laws are tried more often in the night.
describeStore('the store on SQLite', openPlace, { openScratch: async () => openScratchStore(), tries: 0.25 });
