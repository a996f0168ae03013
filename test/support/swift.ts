/**
 * OpenStack Swift with its S3 interface, from Debian's packages: a real object store on this machine, which checks
 * signatures and the digests of bytes. Every object is read again by Debian's rclone, a client that shares no code.
 */

import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';

const programs = {
  'swift-proxy-server': 'swift-proxy',
  'swift-account-server': 'swift-account',
  'swift-container-server': 'swift-container',
  'swift-object-server': 'swift-object',
  'swift-ring-builder': 'swift',
  memcached: 'memcached',
  rclone: 'rclone',
} as const;

export const swiftKeys = {
  AWS_ACCESS_KEY_ID: 'test:tester',
  AWS_SECRET_ACCESS_KEY: 'testing',
} as const;

export interface Swift extends AsyncDisposable {
  readonly endpoint: string;
  /** Makes a bucket; `quotaBytes` is what fits into it. */
  createBucket(name: string, quotaBytes?: number): Promise<void>;
  /** The bytes of an object as rclone reads them; null where there is none. */
  readByRclone(bucket: string, key: string): Buffer | null;
  /** The digests of all objects as rclone computes them from their bytes, by key. */
  sumsByRclone(bucket: string): ReadonlyMap<string, string>;
}

/** The packages that are missing here, for `apt-get install`; '' where all are there. */
export function missingSwift(): string {
  const path = (process.env.PATH ?? '').split(':').concat('/usr/sbin');
  const isHere = (program: string): boolean => path.some((folder) => existsSync(join(folder, program)));
  const missing = Object.entries(programs).filter(([program]) => !isHere(program));
  const hasConfig = existsSync('/etc/swift/swift.conf');
  return [...new Set([...missing.map(([, name]) => name), ...(hasConfig ? [] : ['swift'])])].join(' ');
}

export async function startSwift(): Promise<Swift> {
  const missing = missingSwift();
  if (missing !== '') throw new Error(`Swift is not installed: apt-get install ${missing}`);
  // Needs extended attributes, which memory has on newer systems only.
  const folder = mkdtempSync(join(tmpdir(), 'batch-test-swift-'));
  const running: ChildProcess[] = [];
  const end = async (): Promise<void> => {
    for (const program of running) {
      if (program.exitCode !== null || program.signalCode !== null) continue;
      const ended = once(program, 'exit');
      program.kill('SIGKILL');
      await ended;
    }
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  };
  try {
    const [proxy = 0, account = 0, container = 0, object = 0, cache = 0] = await freePorts(5);
    mkdirSync(join(folder, 'devices', 'd1'), { recursive: true });
    for (const [kind, port] of Object.entries({ account, container, object })) {
      buildRing(folder, kind, port);
      writeFileSync(join(folder, `${kind}.conf`), storageConfig(folder, kind, port));
    }
    writeFileSync(join(folder, 'proxy.conf'), proxyConfig(folder, proxy, cache));
    const start = (program: string, ...args: readonly string[]): void => {
      const log = openSync(join(folder, `${program}.log`), 'a');
      running.push(spawn(program, args, { cwd: folder, stdio: ['ignore', log, log] }));
    };
    start('memcached', '-u', userInfo().username, '-l', '127.0.0.1', '-p', String(cache), '-m', '16');
    for (const kind of ['account', 'container', 'object', 'proxy'])
      start(`swift-${kind}-server`, join(folder, `${kind}.conf`), '-v');
    const endpoint = `http://127.0.0.1:${proxy}`;
    await untilReady(endpoint, running, folder);
    return { endpoint, ...clientsOf(endpoint), [Symbol.asyncDispose]: end };
  } catch (error) {
    await end();
    throw error;
  }
}

/** One disk, one copy of everything. */
function buildRing(folder: string, kind: string, port: number): void {
  const builder = join(folder, `${kind}.builder`);
  const steps = [['create', '4', '1', '0'], ['add', `r1z1-127.0.0.1:${port}/d1`, '1'], ['rebalance']];
  for (const [step = '', ...args] of steps) {
    const done = spawnSync('swift-ring-builder', [builder, step, ...args], { encoding: 'utf8' });
    if (done.status !== 0) throw new Error(`swift-ring-builder ${step} failed: ${done.stdout}${done.stderr}`);
  }
}

const common = (folder: string, port: number): string => `[DEFAULT]
bind_ip = 127.0.0.1
bind_port = ${port}
workers = 0
user = ${userInfo().username}
swift_dir = ${folder}
`;

const storageConfig = (folder: string, kind: string, port: number): string => `${common(folder, port)}
devices = ${join(folder, 'devices')}
mount_check = false
disable_fallocate = true
fallocate_reserve = 0

[pipeline:main]
pipeline = ${kind}-server

[app:${kind}-server]
use = egg:swift#${kind}
`;

/** `slo` is what S3's uploads in parts become; quotas make a bucket full. */
const filters = [
  'catch_errors',
  'gatekeeper',
  'cache',
  'listing_formats',
  'bulk',
  's3api',
  'tempauth',
  'container_quotas',
  'slo',
] as const;

const settings: Readonly<Record<string, string>> = {
  s3api: 's3_acl = false\nallow_multipart_uploads = true\n',
  tempauth: 'user_test_tester = testing .admin\n',
};

const proxyConfig = (folder: string, port: number, cache: number): string =>
  [
    common(folder, port),
    `[pipeline:main]\npipeline = ${filters.join(' ')} proxy-server\n`,
    '[app:proxy-server]\nuse = egg:swift#proxy\naccount_autocreate = true\n',
    ...filters.map((name) => {
      const more = name === 'cache' ? `memcache_servers = 127.0.0.1:${cache}\n` : (settings[name] ?? '');
      return `[filter:${name}]\nuse = egg:swift#${name === 'cache' ? 'memcache' : name}\n${more}`;
    }),
  ].join('\n');

async function untilReady(endpoint: string, running: readonly ChildProcess[], folder: string): Promise<void> {
  for (;;) {
    const dead = running.find(({ exitCode }) => exitCode !== null);
    if (dead !== undefined)
      throw new Error(
        `${dead.spawnargs.join(' ')} ended: ${readFileSync(join(folder, 'swift-proxy-server.log'))}`,
      );
    // It lists buckets only when every server answers.
    const lists = rclone(endpoint, 'lsd', 'swift:');
    if (lists.status === 0) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

function clientsOf(endpoint: string): Pick<Swift, 'createBucket' | 'readByRclone' | 'sumsByRclone'> {
  return {
    async createBucket(name, quotaBytes) {
      const made = rclone(endpoint, 'mkdir', `swift:${name}`);
      if (made.status !== 0) throw new Error(`rclone mkdir failed: ${made.stderr}`);
      if (quotaBytes !== undefined) await setQuota(endpoint, name, quotaBytes);
    },
    readByRclone(bucket, key) {
      const read = rclone(endpoint, 'cat', `swift:${bucket}/${key}`);
      if (read.status === 0) return read.stdout;
      if (/not found/.test(read.stderr.toString())) return null;
      throw new Error(`rclone cat failed: ${read.stderr}`);
    },
    sumsByRclone(bucket) {
      const read = rclone(endpoint, 'hashsum', 'sha256', '--download', `swift:${bucket}`);
      if (read.status !== 0) throw new Error(`rclone hashsum failed: ${read.stderr}`);
      const lines = read.stdout
        .toString()
        .split('\n')
        .filter((line) => line !== '');
      return new Map(lines.map((line) => [line.slice(66), line.slice(0, 64)]));
    },
  };
}

/** By Swift's own interface: S3 has no quotas. */
async function setQuota(endpoint: string, bucket: string, quotaBytes: number): Promise<void> {
  const entered = await fetch(`${endpoint}/auth/v1.0`, {
    headers: { 'x-auth-user': 'test:tester', 'x-auth-key': 'testing' },
  });
  const token = entered.headers.get('x-auth-token') ?? '';
  const set = await fetch(`${endpoint}/v1/AUTH_test/${bucket}`, {
    method: 'POST',
    headers: { 'x-auth-token': token, 'x-container-meta-quota-bytes': String(quotaBytes) },
  });
  if (!set.ok) throw new Error(`the quota was not set: HTTP ${set.status}`);
}

function rclone(endpoint: string, ...args: readonly string[]) {
  const env = {
    PATH: process.env.PATH,
    RCLONE_CONFIG: '/dev/null',
    RCLONE_CONFIG_SWIFT_TYPE: 's3',
    RCLONE_CONFIG_SWIFT_PROVIDER: 'Other',
    RCLONE_CONFIG_SWIFT_ENDPOINT: endpoint,
    RCLONE_CONFIG_SWIFT_ACCESS_KEY_ID: swiftKeys.AWS_ACCESS_KEY_ID,
    RCLONE_CONFIG_SWIFT_SECRET_ACCESS_KEY: swiftKeys.AWS_SECRET_ACCESS_KEY,
  };
  return spawnSync('rclone', ['--retries', '1', '--low-level-retries', '1', ...args], {
    env,
    maxBuffer: 2 ** 30,
  });
}

/** All open at the same time, so that they differ. */
async function freePorts(count: number): Promise<number[]> {
  const servers = Array.from({ length: count }, () => createServer().listen(0, '127.0.0.1'));
  await Promise.all(servers.map((server) => once(server, 'listening')));
  const ports = servers.map((server) => {
    const address = server.address();
    return address === null || typeof address === 'string' ? 0 : address.port;
  });
  await Promise.all(
    servers.map((server) => {
      server.close();
      return once(server, 'close');
    }),
  );
  return ports;
}
