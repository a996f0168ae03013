/** Several workers whose videos cannot be had: what they pay for is what one of them would. */

import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { startPostgres } from '../../support/postgres.ts';
import type { Script } from '../support/scripted-service.ts';
import { openStage, questions } from '../support/stage.ts';

const server = await startPostgres();
afterAll(() => server[Symbol.asyncDispose]());

const playlist: Script = {
  file: ({ name }) =>
    name.startsWith('frame') ? undefined : (response) => void response.end('#EXTM3U\n1.ts\n'),
};

const atOnce = 3;

it('workers that start one after the other pay for few rows while no video can be had, and links are there for a person', {
  timeout: 300_000,
}, async () => {
  await using stage = await openStage(playlist);
  await stage.write('q.csv', questions(...Array.from({ length: 40 }, (_, at) => `q${at}`)));
  const env = { BATCH_STORE: await server.createDatabase(), XDG_STATE_HOME: join(stage.folder, 'state') };
  const place = ['--run', 'alg'];
  const options = ['-j', String(atOnce), '--poll-interval', '100ms', '--frames', 'none'];
  const run = ['run', 'q.csv', ...place, '--out', 'shared', ...options, '--detach', '--yes'];
  expect(await stage.batch(run, { env })).toMatchObject({ code: 0 });
  const start = (name: string) =>
    stage.start(['worker', ...place], { env: { ...env, BATCH_SCRATCH: join(stage.folder, name) } });
  const stopped = /videos that are paid for cannot be fetched; nothing more is submitted/;

  const first = [start('one'), start('two')];
  await Promise.any(first.map((worker) => worker.said(stopped)));
  for (const worker of first) worker.kill('SIGINT');
  await Promise.all(first.map((worker) => worker.ended));
  const paid = stage.service.creations.length;
  // As many as show it, those that were open then, and one more.
  expect(paid).toBeLessThanOrEqual(2 * atOnce + 1);

  // Whoever starts next tries what waits, then one row at a time.
  const next = start('three');
  await next.said(/until one is delivered, rows are submitted one at a time/);
  await next.said(stopped);
  next.kill('SIGINT');
  await next.ended;
  expect(stage.service.creations.length).toBeLessThanOrEqual(paid + 1);
  const sent = stage.service.creations.length;

  const links = await stage.batch(['links', '--store', env.BATCH_STORE, ...place, '--only', 'q0'], {
    env: { XDG_STATE_HOME: env.XDG_STATE_HOME },
  });
  expect(links, links.stderr).toMatchObject({ code: 0, stderr: '' });
  expect(links.stdout).toMatch(/^q0 video 1 http:\/\/127\.0\.0\.1:\d+\/files\/task-\d+\/\S+\n$/);
  expect(stage.service.creations).toHaveLength(sent);
  const nobody = await stage.batch(['links', ...place, '--only', 'nobody'], { env });
  expect(nobody).toMatchObject({ code: 2, stderr: expect.stringContaining('no row has the id nobody') });

  stage.service.follow({});
  expect(await stage.batch(['resume', ...place, '--yes'], { env })).toMatchObject({ code: 0 });
  expect(new Set(stage.service.creations.map(({ question }) => question)).size).toBe(40);
  expect(stage.service.creations).toHaveLength(40);
});
