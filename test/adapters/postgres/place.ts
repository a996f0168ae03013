/** Places of runs on one server: each a schema of its own. */

import pg from 'pg';
import { type PostgresStoreOptions, postgresStoreAt } from '../../../src/adapters/postgres/postgres-store.ts';
import { systemClock } from '../../../src/adapters/system-clock.ts';
import type { Store, StorePlace } from '../../../src/store.ts';
import type { Postgres } from '../../support/postgres.ts';
import type { PlaceUnderTest } from '../../support/store-contract/runs.ts';

/** The run of this name. */
export function placeAt(url: string, run: string, options: Partial<PostgresStoreOptions> = {}): StorePlace {
  return postgresStoreAt({
    url,
    run,
    clock: systemClock,
    patience: () => 0,
    self: { pid: 1, version: '0.0.0', scratch: null },
    ...options,
  });
}

/** Removes all that a run holds, so that its schema serves another test: making one takes longer than most tests. */
const empty = `
  DELETE FROM artifacts; DELETE FROM attempts; DELETE FROM edits; DELETE FROM pictured; DELETE FROM pictures;
  DELETE FROM questions; DELETE FROM items; DELETE FROM sources; DELETE FROM settings; DELETE FROM facts;
  DELETE FROM commits; DELETE FROM workers; DELETE FROM sums; DELETE FROM run;
  INSERT INTO run (schema_version) VALUES (4)`;

/** Places in a database of this server. */
export async function placesOn(server: Postgres) {
  const url = await server.createDatabase();
  const free: string[] = [];
  let count = 0;
  const newName = (): string => {
    count += 1;
    return `run-${count}`;
  };
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const emptied = (run: string): Promise<unknown> =>
    client.query(`SET search_path = "batch_${run}"; ${empty}`);
  const openEmpty = async (): Promise<PlaceUnderTest> => {
    const run = free.pop() ?? newName();
    return {
      place: placeAt(url, run),
      [Symbol.asyncDispose]: async () => {
        await emptied(run);
        free.push(run);
      },
    };
  };
  const scratch = newName();
  let scratchStore: Store | null = null;
  return {
    url,
    openPlace: async (): Promise<PlaceUnderTest> => ({
      place: placeAt(url, newName()),
      [Symbol.asyncDispose]: async () => {},
    }),
    openEmpty,
    /** The same store again and again; it is emptied before each use. */
    async openScratch(): Promise<Store> {
      scratchStore ??= await placeAt(url, scratch).open();
      await emptied(scratch);
      return { ...scratchStore, [Symbol.asyncDispose]: async () => {} };
    },
    async [Symbol.asyncDispose]() {
      await scratchStore?.[Symbol.asyncDispose]();
      await client.end();
    },
  };
}
