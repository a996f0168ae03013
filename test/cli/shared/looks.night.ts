/** What people see of a run on several machines, with real processes. */

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { startPostgres } from '../../support/postgres.ts';
import { openOne } from '../support/stage.ts';

const server = await startPostgres();
const url = await server.createDatabase();
afterAll(() => server[Symbol.asyncDispose]());

it('every command that is proposed can be typed, the reports work from another folder, and no text has the password', async () => {
  await using stage = await openOne({});
  const state = join(stage.folder, 'state');
  const env = { BATCH_STORE: url, XDG_STATE_HOME: state };
  const place = ['--run', 'alg'];
  const imported = await stage.batch(['run', 'q.csv', ...place, '--out', 'shared', '--detach', '--yes'], {
    env,
  });
  expect(imported.stdout).toContain('Next: batch worker --run alg ');
  const waiting = await stage.batch(['status', ...place], { env });
  expect(waiting.stdout).toContain('Next: batch resume --run alg ');
  const told = await stage.batch(['status', '--store', url, ...place, '--json'], {
    env: { XDG_STATE_HOME: state },
  });
  const { next, workers } = JSON.parse(told.stdout);
  expect(next).toMatch(/^batch resume --store \S*postgres:\/\/batch@127\.0\.0\.1:\d+\/\w+\S* --run alg$/);
  expect(workers).toEqual([]);

  const done = await stage.batch(['resume', ...place, '--poll-interval', '100ms', '--yes'], { env });
  expect(done.code).toBe(0);
  expect(done.stderr).toMatch(/^working on run alg as /m);
  await stage.batch(['report', ...place, '--to', 'away/here'], { env });
  const csv = await readFile(join(stage.folder, 'away/here/report.csv'), 'utf8');
  expect(csv).toContain(',../../shared/a/attempt-1/video.');

  const refused = await stage.batch(['status', '--store', url.replace(/pw-/, 'pw-wrong-'), ...place]);
  expect([refused.code, refused.stderr.trim().split('\n')]).toEqual([
    2,
    [expect.stringContaining('refuses')],
  ]);
  const said = [imported, waiting, told, done, refused].map(({ stdout, stderr }) => stdout + stderr).join('');
  expect(said).not.toContain(server.password);
  expect(csv).not.toContain(server.password);
});
