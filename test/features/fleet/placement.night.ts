/** Placement of slices between processes that are killed and stopped, and by a server that is. */

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Fleet, longestOverlapMs, type View } from '../../support/placement.ts';
import { type Postgres, startPostgres } from '../../support/postgres.ts';
import { openTcpProxy } from '../../support/tcp-proxy.ts';

/** What the help for people promises for the slices of a silent worker (ms). */
const takeoverMaxMs = 15_000;

/** Figures for who reads the output. */
const say = (text: string): void => void process.stdout.write(`${text}\n`);

let server: Postgres;

beforeAll(async () => {
  server = await startPostgres();
});

afterAll(async () => {
  await server[Symbol.asyncDispose]();
});

/** Workers as processes, and what they said. */
class Processes {
  readonly views: View[] = [];
  readonly #address: string;
  readonly #children = new Map<string, ChildProcess>();
  readonly #last = new Map<string, View>();
  readonly #waiting = new Set<() => void>();
  logged = '';

  private constructor(address: string) {
    this.#address = address;
  }

  static async over(database: Postgres): Promise<Processes> {
    const address = await database.createDatabase();
    await database.query(
      address,
      'CREATE TABLE public.live (worker text PRIMARY KEY, heard timestamptz NOT NULL)',
    );
    return new Processes(address);
  }

  join(worker: string): void {
    const child = spawn(process.execPath, ['test/support/placement-worker.ts', this.#address, worker], {
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    this.#children.set(worker, child);
    child.stderr?.on('data', (text) => {
      this.logged += text;
    });
    createInterface({ input: child.stdout as NodeJS.ReadableStream }).on('line', (line) => {
      const view: View = JSON.parse(line);
      this.views.push(view);
      this.#last.set(worker, view);
      for (const look of [...this.#waiting]) look();
    });
  }

  signal(worker: string, signal: NodeJS.Signals): void {
    this.#children.get(worker)?.kill(signal);
  }

  async kill(worker: string): Promise<void> {
    const child = this.#children.get(worker);
    if (child === undefined) return;
    child.kill('SIGKILL');
    await once(child, 'close');
    this.#children.delete(worker);
    this.#last.delete(worker);
    // Dead, it believes in nothing.
    this.views.push({ worker, at: Date.now(), slices: [], isKeeper: false });
  }

  async leave(worker: string): Promise<void> {
    const child = this.#children.get(worker);
    if (child === undefined) return;
    child.stdin?.end();
    await once(child, 'close');
    this.#children.delete(worker);
    this.#last.delete(worker);
  }

  isFairAmong(workers: readonly string[]): boolean {
    const views = workers.flatMap((worker) => this.#last.get(worker) ?? []);
    const held = views.flatMap(({ slices }) => slices);
    return (
      held.length === 64 &&
      new Set(held).size === 64 &&
      views.every(({ slices }) => slices.length <= Math.ceil(64 / workers.length)) &&
      views.filter(({ isKeeper }) => isKeeper).length === 1
    );
  }

  viewOf(worker: string): View | undefined {
    return this.#last.get(worker);
  }

  reach(isReached: () => boolean): Promise<void> {
    return new Promise((resolve) => {
      const look = (): void => {
        if (!isReached()) return;
        this.#waiting.delete(look);
        resolve();
      };
      this.#waiting.add(look);
      look();
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const worker of this.#children.keys()) await this.kill(worker);
  }
}

describe.concurrent('the placement of slices among processes', () => {
  it('moves the slices of a killed worker within fifteen seconds', async () => {
    await using fleet = await Processes.over(server);
    for (const worker of ['w1', 'w2', 'w3']) fleet.join(worker);
    await fleet.reach(() => fleet.isFairAmong(['w1', 'w2', 'w3']));
    for (const round of [1, 2, 3]) {
      await fleet.kill('w2');
      const killedAt = Date.now();
      await fleet.reach(() => fleet.isFairAmong(['w1', 'w3']));
      const tookMs = Date.now() - killedAt;
      say(`takeover ${round}: ${tookMs} ms`);
      expect(tookMs).toBeLessThan(takeoverMaxMs);
      const joinedAt = Date.now();
      fleet.join('w2');
      await fleet.reach(() => fleet.isFairAmong(['w1', 'w2', 'w3']));
      const cameMs = Date.now() - joinedAt;
      say(`fair share ${round}: ${cameMs} ms`);
      expect(cameMs).toBeLessThan(takeoverMaxMs);
    }
    const leftAt = Date.now();
    await fleet.leave('w3');
    await fleet.reach(() => fleet.isFairAmong(['w1', 'w2']));
    say(`after an orderly end: ${Date.now() - leftAt} ms`);
    expect(Date.now() - leftAt).toBeLessThan(6_000);
    expect(longestOverlapMs(fleet.views)).toBe(0);
  });

  it('lets a stopped worker believe in nothing when it continues', async () => {
    await using fleet = await Processes.over(server);
    for (const worker of ['w1', 'w2']) fleet.join(worker);
    await fleet.reach(() => fleet.isFairAmong(['w1', 'w2']));
    for (const _ of [1, 2]) {
      fleet.signal('w1', 'SIGSTOP');
      await fleet.reach(() => fleet.isFairAmong(['w2']));
      const saidBefore = fleet.views.length;
      fleet.signal('w1', 'SIGCONT');
      await fleet.reach(() => fleet.views.slice(saidBefore).some(({ worker }) => worker === 'w1'));
      const first = fleet.views.slice(saidBefore).find(({ worker }) => worker === 'w1');
      expect(first).toMatchObject({ slices: [], isKeeper: false });
      await fleet.reach(() => fleet.isFairAmong(['w1', 'w2']));
      expect(longestOverlapMs(fleet.views.slice(saidBefore))).toBe(0);
    }
  });

  it('outlives a server that is killed, for a moment and for longer', async () => {
    await using own = await startPostgres();
    await using fleet = await Processes.over(own);
    const workers = ['w1', 'w2', 'w3'];
    for (const worker of workers) fleet.join(worker);
    await fleet.reach(() => fleet.isFairAmong(workers));
    await own.kill();
    await own.start();
    const from = Date.now();
    await fleet.reach(() => fleet.isFairAmong(workers));
    await own.kill();
    await fleet.reach(() => workers.every((worker) => fleet.viewOf(worker)?.slices.length === 0));
    await own.start();
    const startedAt = Date.now();
    await fleet.reach(() => fleet.isFairAmong(workers));
    say(`after the server's restart: ${Date.now() - startedAt} ms`);
    expect(Date.now() - startedAt).toBeLessThan(takeoverMaxMs);
    expect(longestOverlapMs(fleet.views, from)).toBe(0);
    expect(fleet.logged).not.toContain(own.password);
  });

  it('moves the slices of a worker whose connection went silent, which stops believing in them by itself', async () => {
    const address = await server.createDatabase();
    await using proxy = await openTcpProxy(server.port);
    await using fleet = new Fleet(address);
    const silent = await fleet.join('w1', { address: proxy.through(address) });
    const other = await fleet.join('w2');
    await fleet.reach(() => fleet.isFair);
    proxy.silence();
    fleet.live = 1;
    const silentAt = Date.now();
    await fleet.reach(() => silent.slices.size === 0);
    expect(other.slices.size).toBe(32);
    await fleet.reach(() => other.slices.size === 64 && other.isKeeper);
    say(`takeover from a silent connection: ${Date.now() - silentAt} ms`);
    expect(Date.now() - silentAt).toBeLessThan(takeoverMaxMs);
    proxy.pass();
    fleet.live = 2;
    await fleet.reach(() => fleet.isFair);
    expect(longestOverlapMs(fleet.views)).toBe(0);
  });
});

describe('the cost of the placement of slices', () => {
  it.each([1, 3, 8])('writes at most fifteen rows a second with %i workers', async (count) => {
    const address = await server.createDatabase();
    await using fleet = new Fleet(address);
    await Promise.all(Array.from({ length: count }, (_, at) => fleet.join(`w${at}`)));
    await fleet.reach(() => fleet.isFair);
    const before = await written(address);
    // What is measured is a rate: here time must pass.
    const seconds = 30;
    await new Promise((resolve) => setTimeout(resolve, seconds * 1_000));
    const after = await written(address);
    const rate = (after.rows - before.rows) / seconds;
    const statements = (after.transactions - before.transactions) / seconds;
    say(`${count} workers: ${rate.toFixed(1)} rows and ${statements.toFixed(1)} transactions a second`);
    expect(rate).toBeLessThanOrEqual(15);
  });
});

/** Rows of the engine written so far, and transactions of its database. */
async function written(address: string): Promise<{ readonly rows: number; readonly transactions: number }> {
  // A backend reports its counts at most once a second while it works, and after ten seconds at the latest.
  const [found] = await server.query<{ rows: number; transactions: number }>(
    address,
    `SELECT sum(n_tup_ins + n_tup_upd + n_tup_del)::int AS rows,
       (SELECT xact_commit FROM pg_stat_database WHERE datname = current_database())::int AS transactions
     FROM pg_stat_user_tables WHERE schemaname = 'batch_my-run_jobs'`,
  );
  return found ?? { rows: 0, transactions: 0 };
}
