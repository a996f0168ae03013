import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { callHook } from '../../../src/app/hooks/call-hook.ts';
import { createHookCommand } from '../../../src/app/hooks/hook-process.ts';
import { secretsFromHooks, secretsOf } from '../../../src/app/options/run-secrets.ts';

const key = 'sk-0123';
const store = 'postgres://me:s3%2Fcret@db/batch';
const ping = 'https://switch.example/0d338dcc';

const given = {
  shared: null,
  options: {},
  apiKey: null,
  env: { BATCH_API_KEY: key, BATCH_STORE: store, BATCH_PING: ping, PGPASSWORD: 'hush hush' },
};

const secret = /sk-0123|s3(%2F|\/)cret|0d338dcc|hush hush/;

const env = {
  ...given.env,
  PATH: process.env.PATH,
  DATABASE_URL: 'postgres://app:s3/cret@db/app',
  COPY: `key ${key}`,
  SWITCH: `${ping}/start`,
  PG: 'hush hush',
};

const never = new AbortController().signal;

it('a hook that prints its whole environment has no secret to print', async () => {
  const heard: string[] = [];
  const printer = createHookCommand({ words: ['env'], timeoutMs: 60_000 });
  const command = {
    run: async (input: Parameters<typeof printer.run>[0], signal: AbortSignal) => {
      const ended = await printer.run(input, signal);
      heard.push(ended.output);
      return ended;
    },
  };
  const caller = { env, secrets: secretsFromHooks(given, key) };
  const news = { input: '', facts: { BATCH_ROW_ID: 'q1' } };
  const { output } = await callHook(command, caller, news, never);
  expect(output).toContain('BATCH_ROW_ID=q1');
  expect(heard.join()).not.toMatch(secret);
});

it('what a hook knows from elsewhere is not told', async () => {
  const output = [key, store, 's3/cret', ping, 'hush hush'].join('\n');
  const command = { run: async () => ({ failure: `exit code 1 ${key}`, output, outputBytes: 1 }) };
  const caller = { env: {}, secrets: secretsFromHooks(given, key) };
  const ended = await callHook(command, caller, { input: '', facts: {} }, never);
  expect(JSON.stringify(ended)).not.toMatch(secret);
});

it('the secrets of a run are those that it uses; those of its hooks are all that there are', () => {
  const file = join(mkdtempSync(join(tmpdir(), 'key-')), 'key');
  writeFileSync(file, 'from-file\n');
  const named = { ...given, options: { 'api-key-file': file, ping } };
  expect(secretsOf(named, ` ${key} `)).toEqual([key, ping]);
  expect(secretsFromHooks(named, null)).toEqual([
    'from-file',
    ping,
    key,
    'hush hush',
    store,
    's3%2Fcret',
    's3/cret',
  ]);
  for (const gone of [{ 'api-key-file': `${file}.gone` }, { 'api-key-file': '/dev/null' }, {}])
    expect(secretsFromHooks({ ...given, options: gone, env: {} }, null)).toEqual([]);
});
