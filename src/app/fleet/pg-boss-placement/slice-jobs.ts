/**
 * The jobs of a shared run at pg-boss: one long-lived job for each slice, and one for the keeper. They are made from
 * nothing but the list of slices, so all of them may be deleted at any time. A job that was taken over keeps its id;
 * every statement about a held job names the attempt as well, so that a late one changes nothing.
 */

import type { ConstructorOptions, PgBoss } from 'pg-boss';
import { codeOf, messageOf, StoreAwayError, UsageError } from '../../../errors.ts';
import { message } from '../../../messages/message.ts';
import { fixed } from '../../../money/policy.ts';
import { sliceCount } from '../../../stores/port/sharing.ts';
import { createRedact } from '../../../text/redact.ts';
import { secretsIn } from '../../../text/store-address.ts';

/** How to reach PostgreSQL, in the words of `pg`; what is missing comes from its environment variables. */
export interface Connection {
  readonly connectionString?: string;
  readonly host?: string;
  readonly port?: number;
  readonly database?: string;
  readonly user?: string;
  readonly password?: string;
  readonly ssl?: unknown;
  /** Parameters that the address passes to the server. */
  readonly options?: string;
}

/** A job that this process has taken. */
export interface ClaimedJob {
  readonly id: string;
  /** Names the attempt: every taking of the same job has another one. */
  readonly retryCount: number;
  /** null for the keeper's job. */
  readonly slice: number | null;
}

const queue = 'slices';

/** pg-boss fails jobs without a heartbeat for this long: their worker is silent. It accepts no shorter time than 10 s. */
const heartbeatSeconds = fixed.workerSilenceMs / 1_000;

/** pg-boss fails jobs after this time, whatever their heartbeat says; it accepts no longer one. */
const expireSeconds = 24 * 3_600;

/** Giving back and taking over count as retries: there must always be one more. */
const retryLimit = 1_000_000_000;

/** How often silent holders are looked for, by all processes together; each time costs two writes. */
const superviseSeconds = 2;

/** pg-boss accepts no longer name. */
const schemaMaxBytes = 50;

/** A statement that takes longer has lost its server. */
const queryMaxMs = 5_000;

/** Limits of the server for each connection, whatever its role has. */
const limits = Object.entries({
  statement_timeout: queryMaxMs,
  lock_timeout: queryMaxMs,
  idle_in_transaction_session_timeout: 10_000,
  idle_session_timeout: 0,
  default_transaction_isolation: String.raw`read\ committed`,
})
  .map(([name, value]) => `-c ${name}=${value}`)
  .join(' ');

/** The keeper's job stands out by its priority, so that it can be fetched by itself. */
const keeperPriority = 1;

/** SQLSTATEs of a schema, table or function that is not there any more: somebody dropped them. */
const droppedStates = /^(3F000|42P01|42883|42704)$/;

export class SliceJobs {
  #boss: PgBoss;
  readonly #redact: (error: unknown) => string;
  readonly #start: () => Promise<PgBoss>;

  private constructor(boss: PgBoss, redact: (error: unknown) => string, start: () => Promise<PgBoss>) {
    this.#boss = boss;
    this.#redact = redact;
    this.#start = start;
  }

  /**
   * Installs pg-boss in the schema where it is missing. `onNotice` receives what pg-boss says in the background, in one line
   * without the password. Throws `UsageError` or `StoreAwayError`.
   */
  static async open(
    connection: Connection,
    { schema, worker, onNotice }: { schema: string; worker: string; onNotice: (message: string) => void },
  ): Promise<SliceJobs> {
    if (Buffer.byteLength(schema) > schemaMaxBytes) {
      throw new UsageError(message('store.long-name', { schema, most: schemaMaxBytes }));
    }
    const redact = lineWithout(connection);
    const start = async (): Promise<PgBoss> => {
      const boss = await createBoss(connection, schema, worker);
      // Without a listener, an error of a background query would end the process.
      boss.on('error', (error) => onNotice(redact(error)));
      boss.on('warning', (warning) => onNotice(warning.message));
      try {
        await boss.start();
        return boss;
      } catch (error) {
        await boss.stop({ graceful: false }).catch(() => {});
        throw error;
      }
    };
    let boss: PgBoss | null = null;
    try {
      boss = await start();
      const jobs = new SliceJobs(boss, redact, start);
      await jobs.ensure();
      return jobs;
    } catch (error) {
      await boss?.stop({ graceful: false }).catch(() => {});
      const why = { schema, failure: redact(error) };
      if (codeOf(error) === '42501') throw new UsageError(message('store.jobs-forbidden', why), error);
      throw new StoreAwayError(message('store.no-jobs', why));
    }
  }

  /** One line about an error, without the password. */
  describe(error: unknown): string {
    return this.#redact(error);
  }

  /**
   * Makes the schema again where this error says that it was dropped. True where it did. `found` resolves once the run is there: in a
   * database that is being restored the schema would be in the way of its own copy.
   */
  async repair(error: unknown, found: () => Promise<unknown>): Promise<boolean> {
    if (!droppedStates.test(codeOf(error))) return false;
    await found();
    const boss = await this.#start();
    await this.#boss.stop({ graceful: false }).catch(() => {});
    this.#boss = boss;
    await this.ensure();
    return true;
  }

  /** Makes the jobs that are missing, and the queue. */
  async ensure(): Promise<void> {
    if ((await this.#boss.getQueue(queue)) === null) {
      await this.#boss.createQueue(queue, {
        policy: 'exclusive',
        heartbeatSeconds,
        expireInSeconds: expireSeconds,
        retryLimit,
        retryDelay: 0,
      });
    }
    await this.#boss.insert(queue, allJobs, { returnId: false });
  }

  /** Frees the jobs of silent holders. Costs little where another process did it just now. */
  async freeSilent(): Promise<void> {
    await this.#boss.supervise(queue);
  }

  async takeSlices(count: number): Promise<readonly ClaimedJob[]> {
    const jobs = await this.#boss.fetch<unknown>(queue, {
      batchSize: count,
      maxPriority: keeperPriority - 1,
    });
    return jobs.flatMap(({ id, retryCount, data }) => {
      const slice = sliceOf(data);
      return slice === null ? [] : [{ id, retryCount, slice }];
    });
  }

  async takeKeeper(): Promise<ClaimedJob | null> {
    const [job] = await this.#boss.fetch<unknown>(queue, { minPriority: keeperPriority });
    return job === undefined ? null : { id: job.id, retryCount: job.retryCount, slice: null };
  }

  /** Renews the heartbeat; returns the ids of the jobs that are still held. */
  async touch(jobs: readonly ClaimedJob[]): Promise<ReadonlySet<string>> {
    return settledIds(await this.#boss.touch(queue, jobs.map(attemptOf)));
  }

  /** Other processes can take them at once. */
  async giveBack(jobs: readonly ClaimedJob[]): Promise<void> {
    await this.#boss.fail(queue, jobs.map(attemptOf));
  }

  /** The ids of slice jobs that nobody holds. */
  async freeSlices(): Promise<ReadonlySet<string>> {
    const jobs = await this.#boss.findJobs<unknown>(queue, { queued: true });
    return new Set(jobs.filter(({ priority }) => priority < keeperPriority).map(({ id }) => id));
  }

  async close(): Promise<void> {
    await this.#boss.stop({ graceful: false });
  }
}

const allJobs = [
  { singletonKey: 'keeper', priority: keeperPriority },
  ...Array.from({ length: sliceCount }, (_, slice) => ({ singletonKey: `slice-${slice}`, data: { slice } })),
];

function sliceOf(data: unknown): number | null {
  const slice = typeof data === 'object' && data !== null && 'slice' in data ? data.slice : null;
  return typeof slice === 'number' && Number.isInteger(slice) && slice >= 0 && slice < sliceCount
    ? slice
    : null;
}

const attemptOf = ({ id, retryCount }: ClaimedJob) => ({ id, retryCount });

/** What a command of pg-boss applied to; its types do not say it. */
function settledIds(response: object): ReadonlySet<string> {
  const ids: unknown = 'settled' in response ? response.settled : null;
  if (!Array.isArray(ids)) throw new TypeError('pg-boss does not say which jobs it touched');
  return new Set(ids.map(String));
}

async function createBoss(connection: Connection, schema: string, worker: string): Promise<PgBoss> {
  const library = await import('pg-boss').catch((error: unknown) => {
    throw new UsageError(message('store.no-pg'), error);
  });
  // pg-boss hands all of this to the pool of `pg`, whose options it does not declare in full.
  const options: ConstructorOptions & { readonly query_timeout: number; readonly keepAlive: boolean } = {
    ...connection,
    // Only a quoted name may contain a hyphen.
    schema: /^[a-z_][a-z0-9_]*$/.test(schema) ? schema : `"${schema}"`,
    application_name: `batch ${worker}`.slice(0, 63),
    options: `${connection.options ?? ''} ${limits}`.trim(),
    max: 2,
    connectionTimeoutMillis: queryMaxMs,
    query_timeout: queryMaxMs,
    keepAlive: true,
    // Silent holders are looked for in `freeSilent`, by those who need it; nothing is scheduled, and 65 rows need no care.
    supervise: false,
    schedule: false,
    reindex: false,
    monitorVacuum: false,
    monitorIntervalSeconds: superviseSeconds,
    maintenanceIntervalSeconds: 3_600,
    bamIntervalSeconds: 3_600,
  };
  return new library.PgBoss(options);
}

/** Makes one line of an error, without the password of the connection. */
function lineWithout(connection: Connection): (error: unknown) => string {
  const { connectionString, password } = connection;
  const given = connectionString === undefined ? [] : secretsIn(connectionString);
  const redact = createRedact(password === undefined ? given : [...given, password]);
  return (error) => redact(oneLineOf(error)).slice(0, 500);
}

/** A refused connection to a name with several addresses has its messages inside. */
function oneLineOf(error: unknown): string {
  const parts = error instanceof AggregateError && error.message === '' ? error.errors : [error];
  return parts.map(messageOf).join('; ').replace(/\s+/g, ' ');
}
