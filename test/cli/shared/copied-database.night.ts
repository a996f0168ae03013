/** A shared run whose database is copied, or whose key is changed: nothing is paid for twice, or in another account. */

import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { startPostgres } from '../../support/postgres.ts';
import { apiKey } from '../support/scripted-service.ts';
import { openStage, questions } from '../support/stage.ts';

const server = await startPostgres();
afterAll(() => server[Symbol.asyncDispose]());

it('a copy of the database pays for nothing until the user says that the run has moved', async () => {
  await using stage = await openStage();
  await stage.write('q.csv', questions('q1', 'q2'));
  const original = await server.createDatabase();
  const envOf = (store: string) => ({
    env: { BATCH_STORE: store, XDG_STATE_HOME: join(stage.folder, 'state') },
  });
  const file = ['run', 'q.csv', '--run', 'alg', '--out', 'shared', '--poll-interval', '100ms'];
  expect(await stage.batch([...file, '--detach', '--yes'], envOf(original))).toMatchObject({ code: 0 });

  const name = original.replace(/.*\//, '');
  await server.query(original.replace(/[^/]+$/, 'postgres'), `CREATE DATABASE copied TEMPLATE ${name}`);
  const copy = original.replace(/[^/]+$/, 'copied');
  const news = 'the run alg was last run in another database; a run in each would pay twice';
  for (const command of [['worker', '--drain'], ['resume'], ['retry', '--failed'], file]) {
    const words = command === file ? file : [...command, '--run', 'alg'];
    const refused = await stage.batch(words, envOf(copy));
    expect(refused).toMatchObject({ code: 2 });
    expect(refused.stderr).toContain(news);
  }
  // Collecting costs nothing, and leaves the rows waiting.
  expect(await stage.batch(['collect', '--run', 'alg'], envOf(copy))).toMatchObject({ code: 4 });
  expect(stage.service.creations).toEqual([]);

  const moved = await stage.batch(['worker', '--run', 'alg', '--drain', '--moved'], envOf(copy));
  expect(moved).toMatchObject({ code: 0 });
  expect(stage.service.creations).toHaveLength(2);
  expect(await stage.batch(['worker', '--run', 'alg', '--drain'], envOf(copy))).toMatchObject({ code: 0 });
});

it('another key of the account that has the tasks becomes the key of the run, and no other does', async () => {
  await using stage = await openStage();
  await stage.write('q.csv', questions('q1', 'q2'));
  const store = await server.createDatabase();
  const worker = async (BATCH_API_KEY: string, ...more: readonly string[]) =>
    stage.batch(['worker', '--run', 'alg', '--drain', ...more], {
      env: { BATCH_STORE: store, XDG_STATE_HOME: join(stage.folder, 'state'), BATCH_API_KEY },
    });
  const order = async (...more: readonly string[]) =>
    stage.batch(['run', 'q.csv', '--run', 'alg', '--poll-interval', '100ms', '--detach', '--yes', ...more], {
      env: { BATCH_STORE: store, XDG_STATE_HOME: join(stage.folder, 'state') },
    });
  await order('--out', 'shared', '--limit', '1');
  // No task is known yet: the service says what a wrong key is, and the right one takes its place.
  expect(await worker('wrong')).toMatchObject({ code: 3 });
  expect(await worker(apiKey)).toMatchObject({ code: 4, stderr: expect.stringContaining('another API key') });
  await order('--limit', 'none');

  stage.service.follow({ key: 'rotated', strangersKey: 'strange' });
  expect(await worker('strange')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('of the account that has its tasks'),
  });
  expect(await worker(apiKey)).toMatchObject({ code: 3 });
  expect(stage.service.creations).toHaveLength(1);
  expect(await worker('rotated')).toMatchObject({
    code: 0,
    stderr: expect.stringContaining('the key of the run from now on'),
  });
  expect(stage.service.creations).toHaveLength(2);
  const decided = await server.query<{ kind: string; detail: string }>(
    store,
    "SELECT detail FROM batch_alg.decisions WHERE kind = 'key' ORDER BY number",
  );
  expect(decided.map(({ detail }) => JSON.parse(detail))).toEqual([{ task: null }, { task: 'task-1' }]);
});
