import { chmod, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { withPassword } from '../../../src/stores/postgres/connection/password-file.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const lines = `# host:port:database:user:password
db:5432:batch:ann:first
db:*:*:ann:a\\:b\\\\c
*:*:*:eve:any\r
`;

async function passwordOf(address: string, { mode = 0o600, env = {} } = {}): Promise<string | null> {
  await using folder = await temporaryFolder();
  const path = join(folder.path, 'pgpass');
  await writeFile(path, lines);
  await chmod(path, mode);
  return new URL(withPassword(address, { PGPASSFILE: path, ...env })).searchParams.get('password');
}

test('the first line of .pgpass that fits the address gives its password', async () => {
  expect(await passwordOf('postgres://ann@db/batch')).toBe('first');
  expect(await passwordOf('postgres://ann@db:6000/other')).toBe('a:b\\c');
  expect(await passwordOf('postgres://eve@elsewhere/batch?sslmode=require')).toBe('any');
  expect(await passwordOf('postgres://bob@db/batch')).toBeNull();
});

test('what the address leaves out comes from the variables of PostgreSQL', async () => {
  const env = { PGHOST: 'db', PGUSER: 'ann', PGDATABASE: 'batch' };
  expect(await passwordOf('postgres://', { env })).toBe('first');
});

test('PGPASSWORD comes before the file, and a password in the address before both', async () => {
  expect(await passwordOf('postgres://ann@db/batch', { env: { PGPASSWORD: 'mine' } })).toBe('mine');
  const whole = 'postgres://ann:own@db/batch';
  expect(withPassword(whole, { PGPASSWORD: 'mine' })).toBe(whole);
});

test.skipIf(process.platform === 'win32')('a file that others may read is ignored', async () => {
  expect(await passwordOf('postgres://ann@db/batch', { mode: 0o644 })).toBeNull();
});

test('without a file the address stays as it is', () => {
  expect(withPassword('postgres://ann@db/batch', { PGPASSFILE: '/nowhere' })).toBe('postgres://ann@db/batch');
});
