/** Chooses the store; only this file changes for another one. */

import { openScratchStore, sqliteStoreIn } from '../adapters/sqlite/sqlite-store.ts';
import type { Store, StorePlace } from '../store.ts';

/** The store of the run in this output folder (absolute path). */
export function storeIn(folder: string): StorePlace {
  return sqliteStoreIn(folder);
}

/** A temporary store, for a dry run without an output folder. Closing it removes it. */
export function openScratch(): Store {
  return openScratchStore();
}
