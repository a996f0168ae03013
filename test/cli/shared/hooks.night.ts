/** Commands for completed rows in a run on several machines, with real processes. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { sliceCount } from '../../../src/stores/port/sharing.ts';
import { startPostgres } from '../../support/postgres.ts';
import { completed, inProgress } from '../support/scripted-service.ts';
import { openStage, questions } from '../support/stage.ts';

const server = await startPostgres();
const url = await server.createDatabase();
afterAll(() => server[Symbol.asyncDispose]());

const ids = Array.from({ length: 40 }, (_, n) => `q${n}`);

it('workers call for the rows they look after, others take over, and the password is not in the environment', async () => {
  let areShared = false;
  await using stage = await openStage({
    status: (task) => (areShared ? completed(task) : inProgress(task)),
  });
  await stage.write('q.csv', questions(...ids));
  const env = { BATCH_STORE: url, PGPASSWORD: server.password, XDG_STATE_HOME: join(stage.folder, 'state') };
  const place = ['--run', 'alg'];
  const file = ['run', 'q.csv', ...place, '--out', 'shared', '--detach', '--yes', '--poll-interval', '100ms'];
  await stage.batch([...file, '--limit', '20'], { env });
  const noting = 'test -s "$BATCH_ROW_VIDEO" && echo "$BATCH_ROW_ID" >> heard; env >> environment';
  const hook = ['--on-row', `sh -c '${noting}'`];
  const workers = [1, 2].map(() => stage.start(['worker', ...place, '--drain', ...hook], { env }));
  // A call that goes on while its row is handed over is made by both.
  const shares = async (): Promise<number[]> => {
    const { stdout } = await stage.batch(['status', ...place, '--json'], { env });
    return JSON.parse(stdout).workers.map(({ slices }: { slices: number }) => slices);
  };
  await expect.poll(shares).toEqual([sliceCount / 2, sliceCount / 2]);
  areShared = true;
  for (const worker of workers) expect(await worker.ended).toMatchObject({ code: 4 });
  const heard = (): string[] => readFileSync(join(stage.folder, 'heard'), 'utf8').trimEnd().split('\n');
  expect(heard()).toHaveLength(20);
  expect(new Set(heard()).size).toBe(20);
  expect(await stage.read('environment')).not.toContain(server.password);

  // The rest is completed by processes without the command, and its calls are made later, each once.
  await stage.batch([...file, '--limit', '10'], { env });
  await stage.batch(['worker', ...place, '--drain'], { env });
  const onRow = async () =>
    JSON.parse((await stage.batch(['status', ...place, '--json'], { env })).stdout).onRow;
  expect(await onRow()).toMatchObject({ owed: 10, failed: 0, done: 20 });
  await stage.batch(['collect', ...place, ...hook], { env });
  expect(await onRow()).toMatchObject({ owed: 0, failed: 0, done: 30 });
  await stage.batch(['resume', ...place, '--yes', '--limit', 'none', ...hook], { env });
  expect(heard().toSorted()).toEqual(ids.toSorted());
});
