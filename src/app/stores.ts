/** Which store keeps a run: the one line that another store would change. */

import { openScratchStore, sqliteStoreIn } from '../adapters/sqlite/sqlite-store.ts';
import type { Store, StorePlace } from '../store.ts';

/** The store of the run in this output folder (absolute path). */
export function storeIn(folder: string): StorePlace {
  return sqliteStoreIn(folder);
}

/** A store that is gone when it is closed, for trying a file against nothing. */
export function openScratch(): Store {
  return openScratchStore();
}
