/** The connections to the database: each in the run's own schema, statements repeated while the server is away. */

import pg from 'pg';
import type { Clock } from '../../../ports.ts';
import type { LockHolder } from '../../port/store.ts';
import type { Address } from './address.ts';
import { parametersOf } from './parameters.ts';
import { refusePooler } from './pooler.ts';
import {
  hasNoTls,
  isAway,
  isBusy,
  isShut,
  isStandby,
  reasonOf,
  storeAway,
  translate,
} from './server-errors.ts';

/** Pauses (ms) between repetitions grow from the first to the last. */
const pauses = { first: 100, last: 5_000 };

/** How long (ms) an answer may take before the connection is given up. */
const answerMs = { short: 30_000, long: 30 * 60_000 };

const connectMs = 10_000;

/** How long (ms) a statement waits before it is asked for whom. */
const heldMs = 2_000;

const holders = `SELECT pid, application_name AS program,
    floor(extract(epoch FROM coalesce(xact_start, backend_start)) * 1000)::int8 AS since
  FROM pg_stat_activity WHERE pid = ANY (pg_blocking_pids($1)) AND application_name <> 'batch' ORDER BY 3 LIMIT 1`;

/**
 * Limits of the server for each connection, whatever its role has: a process that is paused locks nothing for long, and
 * a statement that reads all rows has no limit.
 */
const limits = {
  lock_timeout: '10s',
  idle_in_transaction_session_timeout: '60s',
  // An import may read its file for as long as it likes.
  idle_session_timeout: '0',
  statement_timeout: String(answerMs.long),
  // A statement that waited for the row of the run then reads what the others have saved.
  default_transaction_isolation: String.raw`read\ committed`,
};

export interface ConnectionOptions {
  readonly address: Address;
  readonly schema: string;
  readonly clock: Pick<Clock, 'steady' | 'wait'>;
  /** How long (ms) to repeat what the server does not answer; asked again before each repetition. */
  readonly patience: () => number;
  /** Called once when the server does not answer, and again, with null, when it does. */
  readonly onAway?: (failure: string | null) => void;
  /** Called once for each program that is none of ours and has kept a statement waiting. */
  readonly onHeld?: (holder: LockHolder) => void;
  readonly isReadOnly?: boolean;
}

export interface Asked {
  /** True for a statement that may read all rows. */
  readonly isLong?: boolean;
  /** True for a statement that is not repeated. */
  readonly isOnce?: boolean;
}

/** By what a process knows the database of its run, and that all of it is there. */
export interface RunSigns {
  readonly database: string;
  readonly triggers: number;
}

/** The schema is `$1`. Triggers are the last that is restored of a dump. */
export const runSigns = `
  (SELECT oid::text FROM pg_database WHERE datname = current_database()) AS database,
  (SELECT count(*) FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid JOIN pg_namespace n ON n.oid = c.relnamespace
   WHERE n.nspname = $1 AND NOT t.tgisinternal) AS triggers`;

/** What statements are asked of: the pool, or one connection in the middle of a transaction. */
export interface Asker {
  rows<T extends pg.QueryResultRow>(text: string, values?: readonly unknown[], asked?: Asked): Promise<T[]>;
}

/** Of `pg`; int8 columns come as numbers, numeric as text. */
export type Client = pg.ClientBase;

/** int8 in the type catalogue. */
const int8 = 20;

const types = {
  getTypeParser: ((oid: number, format: 'text' | 'binary' = 'text') =>
    oid === int8 && format === 'text'
      ? Number
      : pg.types.getTypeParser(oid, format)) as typeof pg.types.getTypeParser,
};

/** Statements are prepared once for each connection, under these names. */
const names = new Map<string, string>();

function nameOf(text: string): string {
  const known = names.get(text) ?? `batch_${names.size + 1}`;
  names.set(text, known);
  return known;
}

export class Connections implements Asker, AsyncDisposable {
  readonly #options: ConnectionOptions;
  readonly #config: pg.PoolConfig;
  readonly #pool: pg.Pool;
  #isAway = false;
  #saidHolder = '';
  /** What this process has found when it opened the run; null for one that only looks. */
  #run: RunSigns | null = null;
  /** A connection broke off: what answers next may be another database. */
  #isDoubted = false;

  constructor(options: ConnectionOptions) {
    this.#options = options;
    const { address, schema, isReadOnly = false } = options;
    const settings = {
      search_path: `"${schema}"`,
      ...limits,
      ...(isReadOnly ? { default_transaction_read_only: 'on' } : {}),
    };
    const flags = Object.entries(settings).map(([name, value]) => `-c ${name}=${value}`);
    this.#config = {
      connectionString: address.connectionString,
      ssl: address.ssl,
      options: [address.options, ...flags].join(' ').trim(),
      application_name: 'batch',
      types,
      connectionTimeoutMillis: connectMs,
      query_timeout: answerMs.short,
      keepAlive: true,
      keepAliveInitialDelayMillis: 10_000,
    };
    this.#pool = new pg.Pool({ ...this.#config, max: 4, allowExitOnIdle: true });
    this.#pool.on('error', () => {
      this.#isDoubted = true;
    });
    // A connection that breaks while it is in use would end the process otherwise.
    this.#pool.on('connect', (client) => client.on('error', () => {}));
  }

  /** The database, for messages. */
  get name(): string {
    return this.#options.address.name;
  }

  get schema(): string {
    return this.#options.schema;
  }

  /**
   * Tries to connect once, without TLS where the server has none and the address allows it. Throws `UsageError` for a
   * pooler that shares sessions.
   */
  async connectOnce(): Promise<void> {
    try {
      const client = await this.#pool.connect();
      try {
        const { name, schema } = this;
        await refusePooler(client, { name, schema, connectAgain: () => this.#pool.connect() });
      } finally {
        client.release();
      }
    } catch (error) {
      if (this.#config.ssl !== false && this.#options.address.mayBePlain && hasNoTls(error)) {
        this.#config.ssl = false;
        this.#pool.options.ssl = false;
        return this.connectOnce();
      }
      throw isAway(error) ? storeAway(this.name, error) : translate(this.name, error);
    }
  }

  /**
   * Runs one statement, again and again while the server is away. It may have been carried out before, so it must be
   * one that can be repeated. Throws `StoreAwayError` when the caller's patience ends.
   */
  async rows<T extends pg.QueryResultRow>(
    text: string,
    values: readonly unknown[] = [],
    { isLong = false, isOnce = false }: Asked = {},
  ): Promise<T[]> {
    const query = {
      name: nameOf(text),
      text,
      values: parametersOf(values),
      query_timeout: isLong ? answerMs.long : answerMs.short,
    };
    return isOnce ? this.#ask<T>(query) : this.#repeat(() => this.#ask<T>(query));
  }

  /** The first row of `rows`; undefined where there is none. */
  async row<T extends pg.QueryResultRow>(
    text: string,
    values: readonly unknown[] = [],
    asked: Asked = {},
  ): Promise<T | undefined> {
    return (await this.rows<T>(text, values, asked))[0];
  }

  /**
   * From now on this process waits for a database that is away as for its server. One that was made anew is not used before all
   * of the run is in it: what is written meanwhile would be in the way of what is restored.
   */
  expectRun(run: RunSigns): void {
    this.#run = run;
  }

  async #findRun(run: RunSigns): Promise<void> {
    const [found] = await this.#ask<RunSigns & pg.QueryResultRow>({
      text: `SELECT ${runSigns}`,
      values: [this.schema],
    });
    if (found === undefined || (found.database !== run.database && found.triggers < run.triggers))
      // As of a server that starts.
      throw Object.assign(new Error('the run is not there yet'), { code: '57P03' });
    this.#run = { ...run, database: found.database };
    this.#isDoubted = false;
  }

  async #ask<T extends pg.QueryResultRow>(query: pg.QueryConfig): Promise<T[]> {
    const client: pg.PoolClient & { readonly processID?: number | null } = await this.#pool.connect();
    const waiting = setTimeout(() => this.#sayHolder(client.processID ?? 0), heldMs);
    try {
      const { rows } = await client.query<T>(query);
      client.release();
      return rows;
    } catch (error) {
      // Whether a broken connection is still usable is not known.
      client.release(isAway(error) || isStandby(error));
      throw error;
    } finally {
      clearTimeout(waiting);
    }
  }

  /** For whom this session of the server waits, asked on a connection of its own. Never fails: the statement says what is wrong. */
  #sayHolder(pid: number): void {
    const { onHeld } = this.#options;
    if (onHeld === undefined) return;
    this.withClient((client) => client.query<LockHolder & pg.QueryResultRow>(holders, [pid])).then(
      ({ rows: [holder] }) => {
        const name = `${holder?.pid} ${holder?.since}`;
        if (holder === undefined || name === this.#saidHolder) return;
        this.#saidHolder = name;
        onHeld(holder);
      },
      () => {},
    );
  }

  async #repeat<T>(work: () => Promise<T>): Promise<T> {
    const { clock, patience } = this.#options;
    const began = clock.steady();
    for (let pause = pauses.first; ; pause = Math.min(pause * 2, pauses.last)) {
      try {
        if (this.#isDoubted && this.#run !== null) await this.#findRun(this.#run);
        const found = await work();
        this.#note(null);
        return found;
      } catch (error) {
        const isGone = isAway(error) && !isBusy(error);
        const isKept = this.#run !== null && isShut(error);
        if (isGone || isKept) this.#isDoubted = true;
        // A standby may be about to become the server; of a run that is only looked at it is a fault of the caller.
        const isPassing = isKept || isAway(error) || (this.#options.isReadOnly !== true && isStandby(error));
        if (!isPassing) throw translate(this.name, error);
        const away = storeAway(this.name, error);
        if (clock.steady() - began + pause > patience()) throw away;
        this.#note(isBusy(error) ? null : reasonOf(error));
        await clock.wait(pause);
      }
    }
  }

  #note(failure: string | null): void {
    if (this.#isAway === (failure !== null)) return;
    this.#isAway = failure !== null;
    this.#options.onAway?.(failure);
  }

  /**
   * Lends a connection of its own, for what takes several statements; closes it afterwards, and its temporary tables
   * with it. Nothing is repeated: an error of the server becomes one of the tool's.
   */
  async withClient<T>(work: (client: Client) => Promise<T>): Promise<T> {
    const client = await this.openClient();
    try {
      return await work(client);
    } catch (error) {
      throw isAway(error) ? storeAway(this.name, error) : translate(this.name, error);
    } finally {
      await client.end().catch(() => {});
    }
  }

  /** A connection of its own, which the caller ends. */
  async openClient(): Promise<pg.Client> {
    const client = new pg.Client({ ...this.#config, query_timeout: answerMs.long });
    client.on('error', () => {});
    try {
      await client.connect();
      return client;
    } catch (error) {
      await client.end().catch(() => {});
      throw isAway(error) ? storeAway(this.name, error) : translate(this.name, error);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (!this.#pool.ending) await this.#pool.end();
  }
}

/** Runs the work in one transaction of this connection. */
export async function inTransaction<T>(client: Client, work: () => Promise<T>): Promise<T> {
  await client.query('BEGIN');
  try {
    const found = await work();
    await client.query('COMMIT');
    return found;
  } catch (error) {
    await client.query('ROLLBACK').catch(() => {});
    throw error;
  }
}
