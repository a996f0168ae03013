/** The store on PostgreSQL as the measured programs open it, and bare connections beside it. */

import pg from 'pg';
import { systemClock } from '../src/app/system-clock.ts';
import type { StorePlace } from '../src/stores/port/store.ts';
import { postgresStoreAt } from '../src/stores/postgres/postgres-store.ts';
import { openImportCopy } from '../src/stores/sqlite/import/import-copy.ts';

/** The place of a run. A server that does not answer ends the measurement. */
export function placeAt(url: string, run: string): StorePlace {
  const self = { pid: process.pid, version: 'bench', scratch: null };
  return postgresStoreAt({ url, run, clock: systemClock, patience: () => 0, self, openImportCopy });
}

/** A connection whose statements find the tables of the run. Its owner ends it. */
export async function connectTo(url: string, run: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url, options: `-c search_path="batch_${run}"` });
  await client.connect();
  return client;
}

/** Removes a run and leaves everything on the disk: no later one pays for it. */
export async function dropRun(url: string, run: string): Promise<void> {
  const client = await connectTo(url, run);
  await client.query(`DROP SCHEMA "batch_${run}" CASCADE`);
  await client.query('CHECKPOINT');
  await client.end();
}
