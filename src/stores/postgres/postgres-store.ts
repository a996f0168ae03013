/** The store on PostgreSQL: a schema for each run, on which any number of processes work. */

import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';
import { CheckpointError, UsageError } from '../../errors.ts';
import { message } from '../../messages/message.ts';
import type { Clock } from '../../ports.ts';
import type { ImportCopy } from '../port/import.ts';
import type { WorkerNote } from '../port/sharing.ts';
import type { LockHolder, Store, StorePlace } from '../port/store.ts';
import { postgresArchive } from './archive.ts';
import { readAddress, type SslVariables } from './connection/address.ts';
import { Connections } from './connection/connections.ts';
import { postgresDecisions } from './decisions.ts';
import { postgresHookCalls } from './hook-calls.ts';
import { openPostgresIngest } from './import/ingest.ts';
import { PostgresCheckpoint } from './postgres-checkpoint.ts';
import { postgresInspections } from './postgres-inspections.ts';
import { postgresSettings } from './postgres-settings.ts';
import { postgresSharing } from './postgres-sharing.ts';
import { postgresReviews } from './reviews.ts';
import { readRunId, readSigns } from './run-row.ts';
import { postgresTotals } from './run-totals.ts';
import { openRunWatch } from './run-watch.ts';
import {
  checkDurable,
  checkNotNewer,
  findRuns,
  findVersion,
  migrate,
  newestVersion,
  schemaOf,
} from './schema.ts';
import { checkSound } from './soundness.ts';
import { forgetWorker, isAnyAlive, noteWorker } from './workers.ts';

export interface PostgresStoreOptions {
  /** Address of the database, with or without a password. */
  readonly url: string;
  /** Name of the run. */
  readonly run: string;
  readonly clock: Pick<Clock, 'steady' | 'wait'>;
  /** How long (ms) to repeat what the server does not answer; asked again before each repetition. */
  readonly patience: () => number;
  /** Called once when the server stops answering, with the reason, and with null when it answers again. */
  readonly onAway?: (failure: string | null) => void;
  /** Called once for each program that is none of ours and has kept a statement waiting. */
  readonly onHeld?: (holder: LockHolder) => void;
  readonly ssl?: SslVariables;
  /** True where `open` must refuse a server that a power cut would make forget what it has saved. */
  readonly mustBeDurable?: boolean;
  /** When the command began (steady ms); by default when it opens the run. */
  readonly begunAt?: number;
  /** What this process says of itself. */
  readonly self: Pick<WorkerNote, 'pid' | 'version' | 'scratch'>;
  /** Opens an empty copy, in which files are imported before the run takes over what that has changed. */
  readonly openImportCopy: () => ImportCopy;
}

/** The place of a run. Opens no connection yet. Throws `UsageError` for an address or a name that cannot be one. */
export function postgresStoreAt(options: PostgresStoreOptions): StorePlace {
  const address = readAddress(options.url, options.ssl);
  const schema = schemaOf(options.run);
  const { clock, patience, onAway, onHeld } = options;
  const connect = async (isReadOnly: boolean): Promise<Connections> => {
    const connections = new Connections({
      address,
      schema,
      clock,
      patience,
      isReadOnly,
      ...(onAway === undefined ? {} : { onAway }),
      ...(onHeld === undefined ? {} : { onHeld }),
    });
    return closingOnError(connections, () => connections.connectOnce().then(() => connections));
  };
  const ask = async <T>(question: (connections: Connections) => Promise<T>): Promise<T> => {
    await using connections = await connect(true);
    return await question(connections);
  };
  const exists = async (connections: Connections): Promise<boolean> =>
    (await findVersion(connections, connections)) !== null;
  return {
    files: [],
    exists: () => ask(exists),
    isInUse: () => ask(async (connections) => (await exists(connections)) && isAnyAlive(connections)),
    holder: async () => null,
    async open() {
      const connections = await connect(false);
      return closingOnError(connections, () => openToWork(connections, options));
    },
    async openSettings() {
      const connections = await connect(false);
      return closingOnError(connections, async () => {
        if (!(await exists(connections)))
          throw new UsageError(message('store.has-no-run', { name: connections.name, run: options.run }));
        return openToWork(connections, options);
      });
    },
    async look() {
      const connections = await connect(true);
      return closingOnError(connections, () => openToLook(connections, options));
    },
  };
}

/** What a database has of runs, and how messages name it. */
export interface FoundRuns {
  readonly name: string;
  readonly runs: readonly string[];
}

/** Lists the runs that this user may see. Throws as `open`, also for a server that may forget what it has saved. */
export async function runsAt({
  url,
  ssl,
  clock,
  patience,
}: Pick<PostgresStoreOptions, 'url' | 'ssl' | 'clock' | 'patience'>): Promise<FoundRuns> {
  await using connections = new Connections({
    address: readAddress(url, ssl),
    schema: 'public',
    clock,
    patience,
    isReadOnly: true,
  });
  await connections.connectOnce();
  await checkDurable(connections);
  return { name: connections.name, runs: await findRuns(connections) };
}

async function closingOnError<T>(connections: Connections, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    await connections[Symbol.asyncDispose]();
    throw error;
  }
}

async function openToWork(
  connections: Connections,
  { mustBeDurable = false, self, clock, begunAt = clock.steady(), openImportCopy }: PostgresStoreOptions,
): Promise<Store> {
  if (mustBeDurable) await checkDurable(connections);
  const isNew = await migrate(connections);
  const wasEmpty = await hadNoRows(connections, clock.steady() - begunAt);
  const host = hostname();
  const worker = `${host}-${self.pid}-${randomBytes(3).toString('hex')}`;
  await noteWorker(connections, worker, { ...self, host, slices: [], rows: {} });
  const { id: runId, ...signs } = await readSigns(connections);
  connections.expectRun(signs);
  return storeOver(connections, { worker, isNew, wasEmpty, runId, schema: newestVersion(), openImportCopy });
}

async function openToLook(
  connections: Connections,
  { openImportCopy }: PostgresStoreOptions,
): Promise<Store | null> {
  const version = await findVersion(connections, connections);
  if (version === null) {
    await connections[Symbol.asyncDispose]();
    return null;
  }
  checkNotNewer(connections, version);
  const runId = await readRunId(connections);
  return storeOver(connections, {
    worker: null,
    isNew: false,
    wasEmpty: false,
    runId,
    schema: version,
    openImportCopy,
  });
}

/** True where the run had no rows so long ago (ms). */
async function hadNoRows(connections: Connections, agoMs: number): Promise<boolean> {
  const query = 'SELECT 1 AS n FROM run WHERE filled_at <= now_ms() - $1 AND EXISTS (SELECT 1 FROM items)';
  return (await connections.row(query, [Math.floor(agoMs)])) === undefined;
}

interface Parts extends Pick<PostgresStoreOptions, 'openImportCopy'> {
  /** The name of this process; null where it only looks. */
  readonly worker: string | null;
  readonly isNew: boolean;
  /** The run had no rows when the command began. */
  readonly wasEmpty: boolean;
  readonly runId: string;
  /** The version of its schema: one of an earlier version, which is only looked at, lacks some tables. */
  readonly schema: number;
}

function storeOver(
  connections: Connections,
  { worker, isNew, wasEmpty, runId, schema, openImportCopy }: Parts,
): Store {
  let soundness: Promise<void> | null = null;
  const sound = (): Promise<void> => {
    soundness ??= checkSound(connections).catch((error: unknown) => {
      // A server that was away says nothing about the run.
      if (!(error instanceof CheckpointError)) soundness = null;
      throw error;
    });
    return soundness;
  };
  const name = worker ?? '';
  const checkpoint = new PostgresCheckpoint(connections, { worker: name, runId, schema }, sound);
  const reviews = postgresReviews(connections, sound, schema);
  const settings = postgresSettings(connections, sound);
  const isEmpty = async (): Promise<boolean> =>
    (await connections.row('SELECT 1 AS n FROM items LIMIT 1')) === undefined;
  const first = { isDue: wasEmpty };
  const archive = postgresArchive(connections, name, sound);
  const leave = async (): Promise<void> => {
    if (worker !== null) await forgetWorker(connections, worker);
  };
  const close = (): Promise<void> => connections[Symbol.asyncDispose]();
  return {
    isNew,
    checkpoint,
    settings,
    reviews,
    decisions: postgresDecisions(connections, sound, schema),
    totals: postgresTotals(connections, schema),
    inspections: postgresInspections(connections, sound),
    sharing: postgresSharing(connections, { worker: name, runId, schema }),
    archive: {
      ...archive,
      async load(...given) {
        await archive.load(...given);
        // The user knows the rows that were moved here.
        first.isDue = false;
      },
    },
    hooks: postgresHookCalls(connections, settings, sound),
    isEmpty,
    checkSound: sound,
    checkPlace: () => {},
    openIngest: () => openPostgresIngest({ connections, first, openCopy: openImportCopy }),
    openWatch: () => openRunWatch(connections, { checkpoint, settings, reviews }),
    async abandon() {
      await leave();
      // Another process may have joined meanwhile, and imported a file.
      if (isNew && (await isEmpty()) && !(await isAnyAlive(connections)))
        await connections.rows(`DROP SCHEMA IF EXISTS "${connections.schema}" CASCADE`);
      await close();
    },
    async [Symbol.asyncDispose]() {
      await leave();
      await close();
    },
  };
}
