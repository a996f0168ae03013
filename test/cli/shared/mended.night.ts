/** What a user writes into the `failed.csv` of a shared run is neither replaced nor passed over in silence. */

import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { startPostgres } from '../../support/postgres.ts';
import { failed, inProgress } from '../support/scripted-service.ts';
import { openStage, questions } from '../support/stage.ts';

const server = await startPostgres();
afterAll(() => server[Symbol.asyncDispose]());

it('a failed.csv that is mended while workers go on is kept beside, stops a retry, and can be sent', {
  timeout: 180_000,
}, async () => {
  await using stage = await openStage({
    status: (task) => (task.question === 'Question a' ? failed(task, 'no') : inProgress(task)),
  });
  await stage.write('q.csv', questions('a', 'b'));
  const env = { BATCH_STORE: await server.createDatabase(), XDG_STATE_HOME: join(stage.folder, 'state') };
  const place = ['--run', 'alg', '--yes', '--poll-interval', '100ms'];
  const batch = (...line: readonly string[]) => stage.batch([...line, ...place], { env });
  expect((await batch('run', 'q.csv', '--out', 'shared', '--limit', '1')).code).toBe(4);
  const mended = (await stage.read('shared/failed.csv')).replace('Question a', 'Question A');

  const run = stage.start(['resume', '--limit', 'none', ...place], { env });
  await stage.service.until(({ events }) => events.includes('status Question b'));
  await stage.write('shared/failed.csv', mended);
  stage.service.follow({});
  expect(await run.ended).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('1 row mended in failed.csv not sent; it is kept in'),
  });
  expect(await stage.read('shared/failed-mended.csv')).toBe(mended);

  await stage.write('shared/failed.csv', mended);
  expect(await batch('retry', '--failed')).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/`batch run \S*shared\/failed\.csv --run alg --rerun-changed`/),
  });
  expect(stage.service.creations).toHaveLength(2);
  expect(await batch('run', 'shared/failed-mended.csv', '--rerun-changed')).toMatchObject({ code: 0 });
  expect(stage.service.creations.map(({ question }) => question)).toEqual([
    'Question a',
    'Question b',
    'Question A',
  ]);
});
