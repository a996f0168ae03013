/** What people see of a run on several machines, with real processes. */

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
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

it('the runs of the store are named to who names none, and looked at by the doctor', async () => {
  await using stage = await openOne({});
  const address = await server.createDatabase();
  const env = { BATCH_STORE: address, XDG_STATE_HOME: join(stage.folder, 'state') };
  const checksOf = async (...args: readonly string[]) => {
    const { stdout } = await stage.batch(['doctor', '--json', ...args], { env });
    const { checks } = JSON.parse(stdout) as { checks: { id: string; state: string; text: string }[] };
    return Object.fromEntries(checks.map(({ id, state, text }) => [id, `${state}: ${text}`]));
  };
  expect(await checksOf()).toMatchObject({ store: expect.stringMatching(/^ok: \S+ has no runs yet$/) });
  for (const run of ['algebra', 'geometry'])
    await stage.batch(['run', 'q.csv', '--run', run, '--out', run, '--detach', '--yes'], { env });
  const named = expect.stringMatching(/has 2 runs: algebra, geometry$/m);
  for (const line of [['run', 'q.csv'], ['resume'], ['worker']])
    expect(await stage.batch(line, { env })).toMatchObject({ code: 2, stderr: named });
  expect((await stage.batch(['worker'], { env })).stderr).toMatch(
    /a worker needs a run as well: --run NAME; /,
  );
  expect(await checksOf()).toMatchObject({
    store: expect.stringMatching(/^ok: .* has 2 runs: algebra, geometry$/),
    run: expect.stringMatching(/^warning: BATCH_STORE is set/),
    folder: expect.stringMatching(/^ok: /),
  });
  expect(await checksOf('--run', 'algebra')).toMatchObject({
    run: expect.stringContaining(': 1 row, 0 completed'),
  });
  expect(await checksOf('--run', 'optics')).toMatchObject({
    run: expect.stringMatching(/^warning: .*"optics"/),
  });
  const away = { BATCH_STORE: 'postgres://me@127.0.0.1:1/batch' };
  const failed = await stage.batch(['doctor', '--run', 'algebra'], { env: away });
  expect(failed).toMatchObject({ code: 1, stdout: expect.stringMatching(/^✗ .*127\.0\.0\.1/m) });
});

it('the folder of a shared run is no folder for a run without its store, nor the other way round', async () => {
  await using stage = await openOne({});
  const address = await server.createDatabase();
  const env = { BATCH_STORE: address, XDG_STATE_HOME: join(stage.folder, 'state') };
  await stage.batch(['run', 'q.csv', '--run', 'optics', '--out', 'shared', '--detach', '--yes'], { env });
  const words = expect.stringMatching(
    /shared has the videos of the shared run optics: name its store, --store \S*postgres:\/\/batch@\S+ --run optics,/,
  );
  const poor = { XDG_STATE_HOME: env.XDG_STATE_HOME };
  const lines = [
    'run q.csv --yes --out shared',
    'run q.csv --add --store none --out shared',
    'status shared',
    'resume shared',
    'collect shared',
    'retry shared --failed',
    'report shared',
    'tune shared -j 3',
    'resolve shared --list',
    'export shared --to away',
  ];
  for (const line of lines)
    expect(await stage.batch(line.split(' '), { env: poor }), line).toMatchObject({ code: 2, stderr: words });
  expect((await stage.batch(['doctor', 'shared'], { env: poor })).stdout).toContain('the shared run optics');
  expect(await stage.list('shared')).toEqual(['batch.run', 'batch.store']);
  expect(stage.service.creations).toEqual([]);
  expect(await stage.read('shared/batch.store')).not.toContain(server.password);

  await stage.batch(['run', 'q.csv', '--out', 'own', '--yes', '--poll-interval', '100ms'], { env: poor });
  const before = await stage.read('own/report.csv');
  const other = await stage.batch(['run', 'q.csv', '--run', 'waves', '--out', 'own', '--yes'], { env });
  expect(other).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('own is the folder of a run without a store'),
  });
  expect(await stage.read('own/report.csv')).toBe(before);
  expect(stage.service.creations).toHaveLength(1);
});

it('a command that waits for a lock of another program says for which one', async () => {
  await using stage = await openOne({});
  const address = await server.createDatabase();
  const env = { BATCH_STORE: address, XDG_STATE_HOME: join(stage.folder, 'state') };
  await stage.batch(['run', 'q.csv', '--run', 'alg', '--out', 'shared', '--detach', '--yes'], { env });
  const other = new pg.Client({ connectionString: address, application_name: 'psql' });
  await other.connect();
  await other.query('BEGIN; LOCK TABLE batch_alg.run, batch_alg.settings');
  const status = stage.start(['status', '--run', 'alg'], { env });
  await status.said(
    /^waiting for psql \(process \d+ of the database server\), which holds a lock since \S+; end its transaction$/m,
  );
  await other.query('ROLLBACK');
  expect(await status.ended).toMatchObject({ code: 0, stdout: expect.stringContaining('1 row') });
  await other.end();
});
