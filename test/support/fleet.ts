/**
 * A run on several machines, with real parts: `batch worker` in processes of its own, PostgreSQL, a path to it that can
 * be cut, and the embedded service in another process, whose ledger tells what was paid for. Each worker has its own
 * scratch folder, as if it were alone on its machine.
 */

import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { type Ending, type Running, type Surroundings, startProgram } from '../cli/support/program.ts';
import { type FleetLedger, type FleetRow, moneyFlaws, reportFlaws } from './fleet-oracle.ts';
import { type FleetOutputs, folderOutputs } from './fleet-outputs.ts';
import { type Postgres, startPostgres } from './postgres.ts';
import { openTcpProxy, type TcpProxy } from './tcp-proxy.ts';
import { temporaryFolder } from './temporary-folder.ts';
import { wordProblems } from './word-problems.ts';

const run = 'fleet';
const schema = `batch_${run}`;
const lookMs = 50;

export interface FleetOptions {
  /** The server; one of its own unless said. */
  readonly postgres?: Postgres;
  /** Texts of the questions, each another one; without any nothing is imported. */
  readonly questions: readonly string[];
  /** Options of `batch simulate`. */
  readonly service?: readonly string[];
  /** Options of `batch run`, saved with the run. */
  readonly options?: readonly string[];
  /** Where the videos go; a folder of this fleet unless said. */
  readonly outputs?: FleetOutputs;
  readonly env?: Surroundings['env'];
}

/** A fleet as most tests want it. */
export interface FleetPace extends Pick<FleetOptions, 'service' | 'options' | 'outputs' | 'env'> {
  /** How many word problems, each another one. */
  readonly rows: number;
  /** `--concurrency` and `--poll-interval` of the run. */
  readonly concurrency: number | string;
  readonly poll: string;
}

/** Opens a fleet with a PostgreSQL of its own. */
export function openFleet({ rows, concurrency, poll, options = [], ...more }: FleetPace): Promise<Fleet> {
  const pace = ['-j', String(concurrency), '--poll-interval', poll, '--frames', 'none'];
  return Fleet.open({ ...more, questions: wordProblems(rows), options: [...pace, ...options] });
}

export type Counts = Readonly<Record<string, number>>;

/** One place for a worker: a process at a time, with its own scratch folder. */
export class Seat {
  readonly name: string;
  proxy: TcpProxy;
  readonly #start: (seat: Seat, args: readonly string[]) => Running;
  #running: Running | null = null;
  /** How its processes ended. */
  readonly endings: Ending[] = [];

  constructor(name: string, proxy: TcpProxy, start: (seat: Seat, args: readonly string[]) => Running) {
    this.name = name;
    this.proxy = proxy;
    this.#start = start;
  }

  get isRunning(): boolean {
    return this.#running !== null;
  }

  get running(): Running {
    if (this.#running === null) throw new Error(`no worker in ${this.name}`);
    return this.#running;
  }

  /** Starts a worker where there is none. */
  start(...args: readonly string[]): void {
    if (this.#running !== null) return;
    const running = this.#start(this, args);
    this.#running = running;
    void running.ended.then((ending) => {
      this.endings.push(ending);
      if (this.#running === running) this.#running = null;
    });
  }

  /** Ends its worker; null where it had ended by itself. */
  async kill(signal: NodeJS.Signals = 'SIGKILL'): Promise<Ending | null> {
    const running = this.#running;
    if (running === null) return null;
    running.kill(signal);
    return await running.ended;
  }
}

export class Fleet implements AsyncDisposable {
  readonly folder: string;
  readonly outputs: FleetOutputs;
  readonly postgres: Postgres;
  readonly serviceUrl: string;
  readonly seats: Seat[] = [];
  /** Address of the database, past every proxy. */
  address: string;
  readonly #options: FleetOptions;
  readonly #service: Running;
  readonly #questions = new Map<string, string>();
  readonly #disposables: AsyncDisposable[];
  readonly #programs: Running[] = [];

  private constructor(
    options: FleetOptions,
    world: {
      readonly folder: string;
      readonly postgres: Postgres;
      readonly address: string;
      readonly service: Running;
      readonly serviceUrl: string;
      readonly disposables: AsyncDisposable[];
    },
  ) {
    this.#options = options;
    this.folder = world.folder;
    this.outputs = options.outputs ?? folderOutputs(join(world.folder, 'out'));
    this.postgres = world.postgres;
    this.address = world.address;
    this.#service = world.service;
    this.serviceUrl = world.serviceUrl;
    this.#disposables = world.disposables;
  }

  /** A fleet whose questions are imported and whose workers are still to be started. */
  static async open(options: FleetOptions): Promise<Fleet> {
    const folder = await temporaryFolder();
    const postgres = options.postgres ?? (await startPostgres());
    const service = startProgram(['simulate', '--port', '0', ...(options.service ?? [])], {
      cwd: folder.path,
    });
    const [, serviceUrl = ''] = await service.said(/listens at (http:\S+),/);
    const address = await postgres.createDatabase();
    const fleet = new Fleet(options, {
      folder: folder.path,
      postgres,
      address,
      service,
      serviceUrl,
      disposables: [...(options.postgres === undefined ? [postgres] : []), folder],
    });
    const ending = options.questions.length === 0 ? null : await fleet.add(options.questions);
    if (ending !== null && ending.code !== 0) {
      await fleet[Symbol.asyncDispose]();
      throw new Error(`the import ended with ${ending.code}: ${ending.stderr}`);
    }
    return fleet;
  }

  /** Where the videos go, as it is written after `--out`. */
  get out(): string {
    return this.outputs.address;
  }

  /** Imports so many more word problems. */
  addRows(count: number): Promise<Ending> {
    const from = this.rowCount;
    return this.add(wordProblems(from + count).slice(from), '--add');
  }

  /** Imports questions, in a file of their own. */
  async add(questions: readonly string[], ...more: readonly string[]): Promise<Ending> {
    const from = this.#questions.size;
    const name = `questions-${from}.jsonl`;
    const rows = questions.map((question, i) => ({ id: `q${from + i + 1}`, question }));
    for (const { id, question } of rows) this.#questions.set(id, question);
    await writeFile(join(this.folder, name), rows.map((row) => `${JSON.stringify(row)}\n`).join(''));
    const line = [
      'run',
      name,
      '--out',
      this.out,
      '--detach',
      '--yes',
      ...(this.#options.options ?? []),
      ...more,
    ];
    while (true) {
      const ending = await this.batch(...line);
      // Another import came between plan and rows: as the message says, the same line again.
      if (!/another command changed .* run the same command again/.test(ending.stderr)) return ending;
    }
  }

  /** Starts `batch ARGS` of this run, on a machine of its own. */
  start(args: readonly string[], address = this.address, scratch = 'scratch'): Running {
    const program = startProgram([...args, '--run', run], {
      cwd: this.folder,
      env: {
        BATCH_STORE: address,
        BATCH_API_KEY: 'simulated-key',
        BATCH_BASE_URL: this.serviceUrl,
        XDG_STATE_HOME: join(this.folder, 'state'),
        BATCH_SCRATCH: join(this.folder, scratch),
        ...this.outputs.env,
        ...this.#options.env,
      },
    });
    this.#programs.push(program);
    return program;
  }

  /** `batch ARGS` to its end. */
  batch(...args: readonly string[]): Promise<Ending> {
    return this.start(args).ended;
  }

  /** Opens a seat: its worker reaches PostgreSQL by a path of its own. */
  async openSeat(): Promise<Seat> {
    const proxy = await openTcpProxy(this.postgres.port);
    this.#disposables.unshift(proxy);
    const name = `seat-${this.seats.length + 1}`;
    await mkdir(join(this.folder, name));
    const seat = new Seat(name, proxy, (own, args) =>
      this.start(['worker', '--quiet', ...args], own.proxy.through(this.address), own.name),
    );
    this.seats.push(seat);
    return seat;
  }

  /** The store is at another port from now on; workers that start know that. */
  async moveTo(port: number): Promise<void> {
    const url = new URL(this.address);
    url.port = String(port);
    this.address = String(url);
    for (const seat of this.seats) {
      seat.proxy = await openTcpProxy(port);
      this.#disposables.unshift(seat.proxy);
    }
  }

  /** Copies the database as a dump would that is restored elsewhere. Returns its name. */
  async copyDatabase(): Promise<string> {
    const name = this.address.replace(/.*\//, '');
    const copy = `${name}_copy`;
    const elsewhere = this.address.replace(/[^/]+$/, 'postgres');
    for (;;) {
      // A template may have no session; the workers come back at once.
      const cut = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${name}'`;
      await this.postgres.query(elsewhere, cut);
      try {
        await this.postgres.query(elsewhere, `CREATE DATABASE ${copy} TEMPLATE ${name}`);
        return copy;
      } catch (error) {
        if (!(error instanceof pg.DatabaseError) || error.code !== '55006') throw error;
      }
    }
  }

  /** The run is in this database from now on; workers that start know that. */
  useDatabase(name: string): void {
    this.address = this.address.replace(/[^/]+$/, name);
  }

  async openSeats(count: number, ...args: readonly string[]): Promise<void> {
    for (let i = 0; i < count; i += 1) (await this.openSeat()).start(...args);
  }

  /** Starts a worker in each empty seat until all have ended, which they do when nothing is left. */
  async drain(...args: readonly string[]): Promise<readonly Ending[]> {
    for (const seat of this.seats) seat.start('--drain', ...args);
    return Promise.all(this.seats.filter(({ isRunning }) => isRunning).map(({ running }) => running.ended));
  }

  /** Runs a statement in the schema of the run, as often as it takes until the server answers. */
  async query<T extends pg.QueryResultRow>(text: string, values: readonly unknown[] = []): Promise<T[]> {
    for (;;) {
      const client = new pg.Client({ connectionString: this.address, options: `-c search_path=${schema}` });
      client.on('error', () => {});
      try {
        await client.connect();
        return (await client.query<T>(text, [...values])).rows;
      } catch (error) {
        if (error instanceof pg.DatabaseError && !/^(57P|53|08)/.test(error.code ?? '')) throw error;
        await pause(lookMs);
      } finally {
        await client.end().catch(() => {});
      }
    }
  }

  /** Rows by status. */
  async counts(): Promise<Counts> {
    const rows = await this.query<{ status: string; count: string }>('SELECT status, count FROM sums');
    return Object.fromEntries(rows.map(({ status, count }) => [status, Number(count)]));
  }

  /** Rows imported so far. */
  get rowCount(): number {
    return this.#questions.size;
  }

  /** True when no row waits for a worker. */
  async isSettled(): Promise<boolean> {
    const { pending = 0 } = await this.counts();
    return pending === 0 && (await this.isQuiet());
  }

  /** True when nothing is on its way, whether or not rows wait. */
  async isQuiet(): Promise<boolean> {
    const { submitting = 0, open = 0, downloading = 0 } = await this.counts();
    return submitting + open + downloading === 0;
  }

  /** The number of the last change. */
  async change(): Promise<number> {
    const [row] = await this.query<{ change: string }>('SELECT change FROM run');
    return Number(row?.change);
  }

  /** Waits until this is true; nothing of the store calls. */
  async until(isSo: (fleet: Fleet) => Promise<boolean> | boolean): Promise<void> {
    while (!(await isSo(this))) await pause(lookMs);
  }

  /** Waits for so many more changes in the store, or until the workers have ended. */
  async moved(changes: number): Promise<void> {
    const from = await this.change();
    await this.until(
      async () => (await this.change()) >= from + changes || this.seats.every(({ isRunning }) => !isRunning),
    );
  }

  async ledger(): Promise<FleetLedger> {
    const response = await fetch(`${this.serviceUrl}/ledger`);
    return (await response.json()) as FleetLedger;
  }

  /** The rows of the store with all attempts, in input order. */
  async rows(): Promise<readonly FleetRow[]> {
    const found = await this.query<{ row: FleetRow }>(`
      SELECT json_build_object('id', i.id, 'status', i.status,
        'attempts', coalesce((
          SELECT json_agg(json_build_object('status', a.status, 'taskId', a.task_id, 'points', a.points)
            ORDER BY a.attempt)
          FROM attempts a WHERE a.item = i.key), '[]'),
        'files', coalesce((
          SELECT json_agg(json_build_object('path', f.path, 'sha256', f.sha256))
          FROM artifacts f WHERE f.item = i.key AND f.state = 'saved'), '[]')) AS row
      FROM items i WHERE i.shown ORDER BY i.gone, i.row`);
    return found.map(({ row }) => row);
  }

  /** Accepted tasks that the store does not know. */
  async unknownTasks(): Promise<readonly string[]> {
    const { tasks } = await this.ledger();
    const rows = await this.rows();
    const known = new Set(rows.flatMap(({ attempts }) => attempts.map(({ taskId }) => taskId)));
    return tasks.map(({ task_id }) => task_id).filter((task) => !known.has(task));
  }

  /** Every broken promise about money, the store held against the ledger; `orders` are paid repetitions by row. */
  async moneyFlaws(orders: ReadonlyMap<string, number> = new Map()): Promise<readonly string[]> {
    // The tasks before the rows: what was accepted meanwhile may be on its way to the store. Their points after them: a task
    // is charged when it ends, which its row says at the earliest then.
    const { tasks, ...before } = await this.ledger();
    const rows = await this.rows();
    const ends = new Map((await this.ledger()).tasks.map((task) => [task.task_id, task]));
    const ledger = { ...before, tasks: tasks.map((task) => ends.get(task.task_id) ?? task) };
    return moneyFlaws(ledger, rows, this.#questions, orders);
  }

  /** The same at the end of a run, with its report and its files. */
  async allFlaws(orders: ReadonlyMap<string, number> = new Map()): Promise<readonly string[]> {
    const rows = await this.rows();
    const report = this.outputs.text('report.jsonl');
    const sums = this.outputs.sums();
    return [...(await this.moneyFlaws(orders)), ...reportFlaws(report, rows, await this.ledger(), sums)];
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const program of [...this.#programs, this.#service]) program.kill('SIGKILL');
    await Promise.all([...this.#programs, this.#service].map(({ ended }) => ended));
    for (const disposable of this.#disposables) await disposable[Symbol.asyncDispose]();
  }
}
