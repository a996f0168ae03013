/** A pilot of a run on several machines: chosen once, kept in the store, and what the estimate says after it. */

import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { startPostgres } from '../../support/postgres.ts';
import { openStage, questions } from '../support/stage.ts';

const server = await startPostgres();
const url = await server.createDatabase();
afterAll(() => server[Symbol.asyncDispose]());

it('a sample is paid once from whichever machine, and then the rest has a range', {
  timeout: 120_000,
}, async () => {
  await using stage = await openStage();
  await stage.write('q.csv', questions(...'abcdefghij'));
  const on = (machine: string) => ({
    env: { BATCH_STORE: url, XDG_STATE_HOME: join(stage.folder, machine) },
  });
  const place = ['--run', 'alg'];
  const sample = ['run', 'q.csv', ...place, '--out', 'shared', '--poll-interval', '100ms', '--sample', '5'];
  const pilot = await stage.batch(sample, on('one'));
  expect(pilot).toMatchObject({ code: 4, stderr: expect.stringContaining('Sample: 5 of 10 rows') });
  expect((await stage.batch([...sample, '--yes'], on('two'))).code).toBe(4);
  expect(stage.service.creations).toHaveLength(5);
  const online = await stage.batch(['check', 'q.csv', ...place, '--online'], on('two'));
  expect(online).toMatchObject({ code: 0, stdout: expect.stringContaining('Account: good') });
  expect(online.stdout).toContain('Estimate: 50 points for 5 rows, judging by 5 videos\n');
  const other = { env: { ...on('two').env, BATCH_API_KEY: 'key-2' } };
  expect(await stage.batch(['check', ...place, '--online'], other)).toMatchObject({
    code: 3,
    stdout: expect.stringContaining('Invalid API key'),
  });
  const tried = await stage.batch(['resume', ...place, '--dry-run', '--json'], on('two'));
  expect(JSON.parse(tried.stdout)).toMatchObject({ plan: { estimate: { rows: 5, low: 50, high: 50 } } });
  const rest = await stage.batch(['resume', ...place, '--poll-interval', '100ms', '--yes'], on('two'));
  expect(rest.code).toBe(0);
  expect(new Set(stage.service.creations.map(({ question }) => question)).size).toBe(10);
  expect(stage.service.creations).toHaveLength(10);
});
