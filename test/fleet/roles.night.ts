/** What the role of the address may do, and what is set for it: a run says so in one line, or does not mind. */

import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { startProgram } from '../cli/support/program.ts';
import { type Fleet, openFleet } from '../support/fleet.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const pace = { concurrency: 5, poll: '300ms', service: ['--duration', '300ms'] } as const;
const timeout = 600_000;

/** From now on commands and workers of the fleet come as a new role. */
async function comeAs(fleet: Fleet, role: string, attributes: string, ...settings: string[]): Promise<void> {
  await fleet.query(`CREATE ROLE ${role} LOGIN ${attributes} PASSWORD 'of-${role}'`);
  for (const setting of settings) await fleet.query(`ALTER ROLE ${role} ${setting}`);
  const url = new URL(fleet.address);
  [url.username, url.password] = [role, `of-${role}`];
  fleet.address = url.href;
}

it('without a permission every command ends with exit code 2 and one line', { timeout }, async () => {
  await using fleet = await openFleet({ ...pace, rows: 2 });
  await fleet.openSeats(1, '--drain');
  await fleet.drain();
  const owner = fleet.address;
  await comeAs(fleet, 'guest', '');
  const guest = fleet.address;
  const expectRefused = async (...commands: readonly (readonly string[])[]): Promise<void> => {
    fleet.address = guest;
    for (const args of commands) {
      const { code, stderr } = await fleet.batch(...args);
      expect([args[0], code, stderr]).toEqual([args[0], 2, expect.stringMatching(/permission/)]);
      expect(stderr.trimEnd().split('\n'), stderr).toHaveLength(1);
    }
    fleet.address = owner;
  };
  const every = ['status', 'report', 'resume', 'collect', 'pause', 'worker', 'links --only q1'];
  const words = every.map((line) => line.split(' '));
  await expectRefused(...words, ['run', 'questions-0.jsonl', '--out', fleet.out, '--detach', '--yes']);
  await fleet.query('GRANT USAGE ON SCHEMA batch_fleet TO guest');
  await expectRefused(['status'], ['worker', '--drain']);
  for (const what of ['TABLES', 'SEQUENCES', 'FUNCTIONS'])
    await fleet.query(`GRANT ALL ON ALL ${what} IN SCHEMA batch_fleet TO guest`);
  await fleet.addRows(1);
  await expectRefused(['worker', '--drain']);
  expect((await fleet.ledger()).accepted).toBe(2);
});

it('settings of the role end no connection of a worker', { timeout }, async () => {
  await using fleet = await openFleet({ ...pace, rows: 30 });
  const settings = ['statement', 'lock', 'idle_session', 'idle_in_transaction_session'].map(
    (name) => `SET ${name}_timeout = '1ms'`,
  );
  await comeAs(fleet, 'hasty', 'SUPERUSER', ...settings, 'SET default_transaction_isolation = serializable');
  const { code, stderr } = await fleet.batch('worker', '--drain', '--verbose');
  expect([code, stderr]).toEqual([0, expect.not.stringMatching(/problem|does not answer|timeout/)]);
  const log = await readFile(await logBelow(fleet.folder), 'utf8');
  expect(log).not.toMatch(/"level":[45]0/);
  expect((await fleet.ledger()).accepted).toBe(30);
});

it('a worker pays for nothing while the database may forget it, and goes on when that is mended', {
  timeout,
}, async () => {
  await using fleet = await openFleet({ ...pace, rows: 30, concurrency: 2 });
  await fleet.openSeats(1);
  const set = async (value: string): Promise<void> => {
    const name = new URL(fleet.address).pathname.slice(1);
    await fleet.query(`ALTER DATABASE ${name} SET synchronous_commit = ${value}`);
    await fleet.query(
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'batch'",
    );
  };
  await fleet.until(async () => (await fleet.ledger()).accepted > 0);
  await set('off');
  await fleet.seats[0]?.running.said(/runs with synchronous_commit off.*nothing more is submitted/);
  await fleet.until(() => fleet.isQuiet());
  expect((await fleet.ledger()).accepted).toBeLessThan(30);
  await set('on');
  await fleet.until(() => fleet.isSettled());
  expect(await fleet.moneyFlaws()).toEqual([]);
  expect(await fleet.counts()).toMatchObject({ completed: 30 });
});

it('a worker waits for a role that may not log in, and for a database that is dropped and restored', {
  timeout,
}, async () => {
  await using fleet = await openFleet({ ...pace, rows: 40, concurrency: 2 });
  const name = new URL(fleet.address).pathname.slice(1);
  const elsewhere = fleet.address.replace(/[^/]+$/, 'postgres');
  const ask = (text: string) => fleet.postgres.query<{ n: number }>(elsewhere, text);
  await comeAs(fleet, 'worker', 'SUPERUSER');
  await fleet.openSeats(2);
  await fleet.until(async () => (await fleet.ledger()).accepted > 2);
  await ask('ALTER ROLE worker NOLOGIN');
  await ask("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'worker'");
  await Promise.all(fleet.seats.map(({ running }) => running.said(/does not answer since/)));
  await ask('ALTER ROLE worker LOGIN');

  const done = (await fleet.ledger()).accepted;
  await fleet.until(async () => (await fleet.ledger()).accepted > done + 2);
  const copy = await fleet.copyDatabase();
  await ask(`DROP DATABASE ${name} WITH (FORCE)`);
  await ask(`CREATE DATABASE ${name}`);
  const visitors = `SELECT 1 AS n FROM pg_stat_activity WHERE datname = '${name}' AND application_name = 'batch'`;
  await fleet.until(async () => (await ask(visitors)).length > 0);
  expect(await fleet.query("SELECT nspname FROM pg_namespace WHERE nspname LIKE 'batch%'")).toEqual([]);
  await ask(`DROP DATABASE ${name} WITH (FORCE)`);
  await ask(`ALTER DATABASE ${copy} RENAME TO ${name}`);
  await fleet.until(() => fleet.isSettled());
  expect(fleet.seats.flatMap(({ endings }) => endings)).toEqual([]);
  // It is the run's, for those that come new, too.
  expect(await fleet.batch('worker', '--drain')).toMatchObject({ code: 0 });
  expect(await fleet.moneyFlaws()).toEqual([]);
  expect(await fleet.counts()).toMatchObject({ completed: 40 });
});

it('a password that an address cannot hold is refused and never shown', { timeout }, async () => {
  await using folder = await temporaryFolder();
  const env = { BATCH_API_KEY: 'k', BATCH_BASE_URL: 'http://127.0.0.1:9' };
  for (const password of ['12/34', 'pa/ss', '1?x', 'p@s/w', 'a#b', '100%', '5/6:7@8']) {
    const store = `postgres://me:${password}@127.0.0.1:9/batch`;
    const args = ['status', '--run', 'r', '--store', store];
    const { code, stdout, stderr } = await startProgram(args, { cwd: folder.path, env }).ended;
    expect([code, stderr]).toEqual([2, expect.stringMatching(/^batch: the store is no address .+\n$/)]);
    expect(stdout + stderr).not.toContain(password.slice(0, 4));
  }
});

async function logBelow(folder: string): Promise<string> {
  const [log = ''] = (await readdir(folder, { recursive: true })).filter((path) =>
    path.endsWith('batch.log'),
  );
  return join(folder, log);
}
