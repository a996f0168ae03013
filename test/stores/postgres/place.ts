/** Places of runs on one server: each a schema of its own. */

import pg from 'pg';
import { afterAll, expect } from 'vitest';
import { systemClock } from '../../../src/app/system-clock.ts';
import type { WorkerNote } from '../../../src/stores/port/sharing.ts';
import type { Store, StorePlace } from '../../../src/stores/port/store.ts';
import { type PostgresStoreOptions, postgresStoreAt } from '../../../src/stores/postgres/postgres-store.ts';
import { openImportCopy } from '../../../src/stores/sqlite/import/import-copy.ts';
import { type Postgres, startPostgres } from '../../support/postgres.ts';
import type { PlaceUnderTest } from '../../support/store-contract/runs.ts';

/** The run of this name. */
export function placeAt(url: string, run: string, options: Partial<PostgresStoreOptions> = {}): StorePlace {
  return postgresStoreAt({
    url,
    run,
    clock: systemClock,
    patience: () => 0,
    self,
    openImportCopy,
    ...options,
  });
}

/** Removes everything of a run, so that its schema serves another test: making one takes longer than most tests. */
const empty = `
  DELETE FROM decisions; DELETE FROM finals; DELETE FROM hook_calls; DELETE FROM inspections; DELETE FROM preferences; DELETE FROM corrections; DELETE FROM earlier_corrections; DELETE FROM earlier_inputs; DELETE FROM marks; DELETE FROM artifacts; DELETE FROM attempts; DELETE FROM edits; DELETE FROM pictured; DELETE FROM pictures;
  DELETE FROM orders; DELETE FROM questions; DELETE FROM items; DELETE FROM sources; DELETE FROM settings; DELETE FROM facts;
  DELETE FROM commits; DELETE FROM workers; DELETE FROM sums;
  WITH old AS (DELETE FROM run RETURNING id, schema_version) INSERT INTO run (id, schema_version, server) SELECT id, schema_version, this_server() FROM old`;

/** What the triggers have counted. */
const counted = `
  SELECT to_jsonb(run) - 'change' AS run, (SELECT jsonb_object_agg(status, to_jsonb(sums)) FROM sums WHERE count > 0) AS sums
  FROM run`;

/** A run whose first process stays: new connections take longer than most tests. */
interface KeptRun {
  readonly name: string;
  readonly place: StorePlace;
  readonly store: Store;
}

const self: WorkerNote = { host: 'here', pid: 1, slices: [], rows: {}, version: '0.0.0', scratch: null };

/** Places on a server that runs for the tests of one file. */
export async function startPlaces(options?: Parameters<typeof startPostgres>[0]) {
  const server = await startPostgres(options);
  const places = await placesOn(server);
  afterAll(async () => {
    await places[Symbol.asyncDispose]();
    await server[Symbol.asyncDispose]();
  });
  return places;
}

async function placesOn(server: Postgres) {
  const url = await server.createDatabase();
  const free: KeptRun[] = [];
  const kept: KeptRun[] = [];
  let count = 0;
  let lastSource = 0;
  const newName = (): string => {
    count += 1;
    return `run-${count}`;
  };
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  /** The kept store remembers sources by their keys: no other run of this file has the same. */
  const beginSources = async (run: string): Promise<void> => {
    lastSource += 1_000;
    await client.query(`INSERT INTO "batch_${run}".sources (key, source) VALUES (${lastSource}, '"unused"')`);
  };
  /**
   * All in one message: a test that met its deadline still runs while the next one does, and a statement of one between two of
   * the other would empty the wrong schema.
   */
  const emptied = async (run: string): Promise<void> => {
    const statements = [`SET search_path = "batch_${run}"`, counted, 'SELECT recount()', counted, empty];
    const [, before, , after] = (await client.query(statements.join(';'))) as unknown as pg.QueryResult[];
    await beginSources(run);
    // Whatever a test did with the run, the counters are those of its rows.
    expect(before?.rows).toEqual(after?.rows);
  };
  const openEmpty = async (): Promise<PlaceUnderTest> => {
    const run = free.pop() ?? (await keepRun());
    let isOpen = false;
    return {
      place: {
        ...run.place,
        async open() {
          if (isOpen) return await run.place.open();
          isOpen = true;
          await run.store.sharing?.noteWorker(self);
          return { ...run.store, [Symbol.asyncDispose]: async () => {} };
        },
      },
      [Symbol.asyncDispose]: async () => {
        await emptied(run.name);
        free.push(run);
      },
    };
  };
  const keepRun = async (): Promise<KeptRun> => {
    const name = newName();
    const place = placeAt(url, name);
    const run = { name, place, store: await place.open() };
    kept.push(run);
    await beginSources(name);
    return run;
  };
  return {
    url,
    openPlace: async (): Promise<PlaceUnderTest> => ({
      place: placeAt(url, newName()),
      [Symbol.asyncDispose]: async () => {},
    }),
    openEmpty,
    async openScratch(): Promise<Store> {
      const run = free.pop() ?? (await keepRun());
      return {
        ...run.store,
        async [Symbol.asyncDispose]() {
          await emptied(run.name);
          free.push(run);
        },
      };
    },
    async [Symbol.asyncDispose]() {
      for (const { store } of kept) await store[Symbol.asyncDispose]();
      await client.end();
    },
  };
}
