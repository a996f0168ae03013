/** A database that was copied knows the waiting rows as well as its original: only one of them may pay for them. */

import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { startPostgres } from '../../support/postgres.ts';
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
