/** Chooses the store; only this file changes for another one. */

import type { PostgresStoreOptions } from '../adapters/postgres/postgres-store.ts';
import { openScratchStore, sqliteStoreIn } from '../adapters/sqlite/sqlite-store.ts';
import { codeOf, messageOf, UsageError } from '../errors.ts';
import type { Store, StorePlace } from '../store.ts';

/** The store of the run in this output folder (absolute path). */
export function storeIn(folder: string): StorePlace {
  return sqliteStoreIn(folder);
}

/** A temporary store, for a dry run without an output folder. Closing it removes it. */
export function openScratch(): Store {
  return openScratchStore();
}

/**
 * The store of a run on several machines. Nothing of it is loaded before. Throws `UsageError` where the packages for it
 * are not installed, or for an address or a name that cannot be one.
 */
export async function postgresStore(options: PostgresStoreOptions): Promise<StorePlace> {
  return (await loadPostgres()).postgresStoreAt(options);
}

async function loadPostgres() {
  try {
    return await import('../adapters/postgres/postgres-store.ts');
  } catch (error) {
    if (codeOf(error) !== 'ERR_MODULE_NOT_FOUND' || !/'pg(-copy-streams)?'/.test(messageOf(error)))
      throw error;
    const advice = 'npm install pg pg-copy-streams pg-boss @aws-sdk/client-s3';
    throw new UsageError(`--store needs packages that are not installed; \`${advice}\` installs them`, error);
  }
}
