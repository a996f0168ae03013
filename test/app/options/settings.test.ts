import { execFileSync, spawn } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { RawOptions } from '../../../src/app/options/options.ts';
import { readInvocation, serviceOf } from '../../../src/app/options/settings.ts';
import { scratchBase } from '../../../src/app/scratch.ts';
import { languageOfArgs } from '../../../src/cli/language.ts';
import type { Sharing } from '../../../src/stores/port/sharing.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const place: RawOptions = { store: 'postgres://batch@db.example/batch', run: 'alg' };

it.each<[RawOptions, RegExp]>([
  [{ simulate: true }, /start `batch simulate`, and give its address with --base-url/],
  [{ listen: '127.0.0.1:8080' }, /--listen is for a run in a folder/],
])('a run on several machines refuses %j before anything is saved', (options, said) => {
  expect(() => readInvocation({ ...place, ...options }, { dotEnv: false })).toThrow(said);
  expect(() => readInvocation(options, { dotEnv: false })).not.toThrow();
});

it.each<[RawOptions, RegExp]>([
  [{ run: 'alg' }, /--run names a run in a store; give --store or set BATCH_STORE/],
  [{ store: 'postgres://db/batch' }, /say which one: --run NAME/],
])('a run on several machines needs its store and its name: %j', (options, said) => {
  expect(() => readInvocation(options, { dotEnv: false })).toThrow(said);
});

it.each([
  ['AWS_ENDPOINT_URL=https://s3.example', 'https://s3.example'],
  ['AWS_ENDPOINT_URL=https://aws.example\nAWS_ENDPOINT_URL_S3=https://s3.example', 'https://s3.example'],
  ['AWS_ENDPOINT_URL=', null],
])('the service of the bucket is in the environment: %j', async (variables, endpoint) => {
  await using folder = await temporaryFolder();
  await writeFile(join(folder.path, '.env'), `${variables}\nBATCH_SCRATCH=/fast\n`);
  await writeFile(join(folder.path, 'job.json'), '{}');
  const invocation = readInvocation(place, { job: join(folder.path, 'job.json') });
  expect(invocation.shared).toMatchObject({ endpoint });
  const sharing = { runId: '0123456789ab' } as Sharing;
  expect(scratchBase(invocation, { sharing })).toBe('/fast/alg-0123456789ab');
});

const keyIn = (file: string) => {
  const { options } = readInvocation(
    { 'base-url': 'http://a.example', 'api-key-file': file },
    { dotEnv: false },
  );
  return () => serviceOf({ apiKey: null, env: {}, isKeyFileGiven: true }, options).apiKey;
};

it('what has no end is no key file and no job file, and a folder is told as one', async () => {
  await using folder = await temporaryFolder();
  const path = join(folder.path, 'key');
  await writeFile(path, `${'k'.repeat(64_000)}`);
  expect(keyIn(path)()).toHaveLength(64_000);
  await writeFile(path, `${'k'.repeat(64_001)}`);
  for (const long of [path, '/dev/zero'])
    expect(keyIn(long)).toThrow(`${long} is no key file: it is too long (more than 64 kB)`);
  expect(keyIn(folder.path)).toThrow(`${folder.path} is a folder;`);
  expect(keyIn(`${path}.gone`)).toThrow(`the key file ${path}.gone cannot be read`);
  expect(() => readInvocation({}, { job: '/dev/zero' })).toThrow(
    '/dev/zero cannot be read as a job file: it is longer than 16 MB',
  );
});

it('a key in a pipe is read to its end, and can be asked for again', async () => {
  await using folder = await temporaryFolder();
  const path = join(folder.path, 'pipe');
  execFileSync('mkfifo', [path]);
  // Its end is that of whoever writes.
  spawn('sh', ['-c', '(printf sk-a; printf -- "-key\\n") > "$0"', path], { stdio: 'ignore' });
  expect([keyIn(path)(), keyIn(path)()]).toEqual(['sk-a-key', 'sk-a-key']);
});

/** As editors save a text. */
const encodings: Readonly<Record<string, (text: string) => Buffer>> = {
  'UTF-8': (text) => Buffer.from(text),
  'UTF-8 with a byte order mark': (text) => Buffer.from(`\ufeff${text}`),
  'UTF-16LE with a byte order mark': (text) => Buffer.from(`\ufeff${text}`, 'utf16le'),
  'UTF-16BE with a byte order mark': (text) => Buffer.from(`\ufeff${text}`, 'utf16le').swap16(),
  'UTF-16LE': (text) => Buffer.from(text, 'utf16le'),
};

it.each(Object.entries(encodings))('a .env, a job file and a key are read in %s', async (_, encode) => {
  await using folder = await temporaryFolder();
  const write = (name: string, text: string) => writeFile(join(folder.path, name), encode(text));
  const proxies = ['HTTP_PROXY', 'https_proxy', 'ALL_PROXY', 'No_Proxy'];
  const routes = proxies.map((name) => `${name}=http://p.example\r\n`).join('');
  await write('.env', `BATCH_TEST_FIRST="Größe 题"\r\nBATCH_TEST_SECOND=2\r\n${routes}`);
  await write('key.txt', 'sk-a-key\r\n');
  await write(
    'job.json',
    '{"base-url": "http://a.example", "api-key-file": "key.txt", "lang": "zh", "out": "视频"}\r\n',
  );
  const job = join(folder.path, 'job.json');
  const invocation = readInvocation({}, { job });
  expect(invocation.env).toMatchObject({ BATCH_TEST_FIRST: 'Größe 题', BATCH_TEST_SECOND: '2' });
  // A file that came with a folder would see the key that goes through its proxy.
  for (const name of proxies) expect(invocation.env[name]).toBe(process.env[name]);
  expect(invocation.out).toBe(join(folder.path, '视频'));
  expect(serviceOf({ ...invocation, env: {} }, invocation.options)).toEqual({
    baseUrl: 'http://a.example',
    apiKey: 'sk-a-key',
  });
  expect([languageOfArgs(['--job', job]), languageOfArgs([`--job=${job}`])]).toEqual(['zh', 'zh']);
});
