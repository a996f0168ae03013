/** Where the key goes: each place that an address and a key can be in, and what the program does with them. */

import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { apiKey } from '../../cli/support/scripted-service.ts';
import { openStage, questions, type Stage } from '../../cli/support/stage.ts';
import { hasTerminals, startOnTerminal } from '../../cli/support/terminal.ts';

type AddressIn = 'line' | 'environment' | '.env here' | '.env beside the job' | 'job' | 'run';
type KeyIn =
  | 'environment'
  | 'key file on the line'
  | 'the same .env'
  | 'key file beside the job'
  | 'key file elsewhere';
/** `used`: this user sent a key there before. `--yes` and a terminal without an answer change nothing. */
type Case = readonly [AddressIn, KeyIn, history: 'new' | 'used', verdict: 'sent' | 'refused'];

const cases: readonly Case[] = [
  ['line', 'environment', 'new', 'sent'],
  ['line', 'key file on the line', 'new', 'sent'],
  ['line', 'the same .env', 'new', 'sent'],
  ['environment', 'environment', 'new', 'sent'],
  ['environment', 'key file on the line', 'new', 'sent'],
  ['environment', 'the same .env', 'new', 'sent'],
  ['.env here', 'environment', 'new', 'refused'],
  ['.env here', 'environment', 'used', 'sent'],
  ['.env here', 'key file on the line', 'new', 'refused'],
  ['.env here', 'key file on the line', 'used', 'sent'],
  ['.env here', 'the same .env', 'new', 'sent'],
  ['.env beside the job', 'environment', 'new', 'refused'],
  ['.env beside the job', 'environment', 'used', 'sent'],
  ['.env beside the job', 'the same .env', 'new', 'sent'],
  ['job', 'environment', 'new', 'refused'],
  ['job', 'environment', 'used', 'sent'],
  ['job', 'key file on the line', 'new', 'refused'],
  ['job', 'key file beside the job', 'new', 'sent'],
  ['job', 'key file elsewhere', 'new', 'refused'],
  ['job', 'key file elsewhere', 'used', 'sent'],
  ['run', 'environment', 'new', 'refused'],
  ['run', 'environment', 'used', 'sent'],
  ['run', 'key file on the line', 'new', 'refused'],
  ['run', 'the same .env', 'new', 'refused'],
];

/** What a user types there, and in which environment. */
interface Typed {
  readonly words: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** Lays out the folder of this case. */
async function layOut(stage: Stage, [addressIn, keyIn, history]: Case): Promise<Typed> {
  const address = stage.service.url;
  const state = { XDG_STATE_HOME: join(stage.folder, 'state of another') };
  await stage.write('q.csv', questions('a'));
  await stage.write('key.txt', apiKey);
  const noTasks = ['--limit', '0', '--base-url', address];
  if (addressIn === 'run') await stage.batch(['run', 'q.csv', ...noTasks]);
  if (history === 'used') await stage.batch(['run', 'q.csv', '--out', 'mine', ...noTasks], { env: state });
  const isJob = addressIn === 'job' || addressIn === '.env beside the job';
  const inJob: Record<string, string> = { input: '../q.csv' };
  const inEnv: string[] = [];
  const words: string[] = addressIn === 'run' ? ['resume', 'videos'] : ['run', 'q.csv'];
  if (isJob) words.splice(1, 1, '--job', 'jobs/job.json');
  const env: Record<string, string | undefined> = {
    ...state,
    BATCH_BASE_URL: undefined,
    BATCH_API_KEY: undefined,
    // Of other runs: the line says that this one is in a folder.
    BATCH_STORE: 'postgres://me@127.0.0.1:1/batch',
  };
  words.push('--store', 'none');
  if (addressIn === 'line') words.push('--base-url', address);
  if (addressIn === 'environment') env.BATCH_BASE_URL = address;
  if (addressIn === '.env here' || addressIn === '.env beside the job')
    inEnv.push(`BATCH_BASE_URL=${address}`);
  if (addressIn === 'job') inJob['base-url'] = address;
  if (keyIn === 'environment') env.BATCH_API_KEY = apiKey;
  if (keyIn === 'key file on the line') words.push('--api-key-file', 'key.txt');
  if (keyIn === 'the same .env') inEnv.push(`BATCH_API_KEY=${apiKey}`);
  if (keyIn === 'key file beside the job') {
    await stage.write('jobs/key.txt', apiKey);
    inJob['api-key-file'] = 'key.txt';
  }
  if (keyIn === 'key file elsewhere') inJob['api-key-file'] = '../key.txt';
  await stage.write('jobs/job.json', JSON.stringify(inJob));
  if (inEnv.length > 0) await stage.write(isJob ? 'jobs/.env' : '.env', `${inEnv.join('\n')}\n`);
  return { words: [...words, '--poll-interval', '100ms'], env };
}

describe.concurrent('a key', () => {
  it.for(cases)('for an address in the %s, found in %s, where it is %s: %s', async (given) => {
    const [addressIn, , , verdict] = given;
    await using stage = await openStage();
    const { words, env } = await layOut(stage, given);
    const heard = stage.service.events.length;
    const lines = verdict === 'sent' ? [words] : [words, [...words, '--yes']];
    for (const line of lines) {
      const ending = await stage.batch(line, { env });
      if (verdict === 'sent') expect(ending, ending.stderr).toMatchObject({ code: 0 });
      else {
        expect(ending).toMatchObject({ code: 2, stdout: '' });
        expect(ending.stderr).toContain(`give --base-url ${stage.service.url}\n`);
        expect(stage.service.events).toHaveLength(heard);
      }
    }
    if (verdict === 'refused' && addressIn !== 'run') expect(await stage.list('videos')).toEqual([]);
  });

  it.skipIf(!hasTerminals).for([
    ['n', 'refused'],
    ['y', 'sent'],
  ] as const)(
    'is asked about once on a terminal, also with --yes, and the answer is %s',
    async ([answer, verdict]) => {
      await using stage = await openStage();
      const { words, env } = await layOut(stage, ['.env here', 'environment', 'new', 'refused']);
      await using asked = startOnTerminal([...words, '--yes'], { cwd: stage.folder, columns: 120, env });
      await asked.said(
        /is from \.env, and you have not used it on this machine\. May it get your key\? \[y\/N\] /,
      );
      expect(stage.service.events).toEqual([]);
      asked.type(`${answer}\r`);
      expect(await asked.ended).toBe(verdict === 'sent' ? 0 : 2);
      expect(stage.service.creations).toHaveLength(verdict === 'sent' ? 1 : 0);
      if (verdict === 'refused') return expect(stage.service.events).toEqual([]);
      expect(await stage.batch(words, { env })).toMatchObject({ code: 0 });
    },
  );

  it.for([
    ['run', 'q.csv'],
    ['check', '--online'],
    ['check', 'q.csv', '--online'],
  ])('is not sent by %s %s to an address that came with a folder, which stays as it was', async (words) => {
    await using own = await openStage();
    await using foreign = await openStage();
    await own.write('q.csv', questions('a', 'b'));
    const state = { XDG_STATE_HOME: join(own.folder, 'state of another') };
    await own.batch(['run', 'q.csv', '--limit', '1', '--base-url', own.service.url], { env: state });
    await own.write('.env', `BATCH_BASE_URL=${foreign.service.url}\nHTTP_PROXY=${foreign.service.url}\n`);
    const env = { ...state, BATCH_BASE_URL: undefined };
    expect(await own.batch(words, { env })).toMatchObject({ code: 2, stdout: '' });
    await own.remove('.env');
    expect(await own.batch(['resume'], { env })).toMatchObject({ code: 0 });
    expect(own.service.creations).toHaveLength(2);
    expect(foreign.service.events).toEqual([]);
  });
});
