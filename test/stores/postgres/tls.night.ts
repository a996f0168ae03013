/** Connections to a server with TLS, by each `sslmode`. */

import { execFileSync } from 'node:child_process';
import { chmodSync, chownSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { BatchError } from '../../../src/errors.ts';
import { startPostgres } from '../../support/postgres.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { placeAt } from './place.ts';

/** A certificate for `localhost` that its own file vouches for. */
function makeCertificate(folder: string): { readonly cert: string; readonly key: string } {
  const [cert, key] = [join(folder, 'server.crt'), join(folder, 'server.key')];
  const names = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost'];
  const files = ['-keyout', key, '-out', cert];
  execFileSync(
    'openssl',
    ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '1', ...names, ...files],
    {
      stdio: 'ignore',
    },
  );
  chmodSync(folder, 0o755);
  chmodSync(key, 0o600);
  if (process.getuid?.() === 0) chownSync(key, 65_534, 65_534);
  return { cert, key };
}

describe('a server with TLS', () => {
  it('is spoken to as sslmode says', async () => {
    await using folder = await temporaryFolder();
    const { cert, key } = makeCertificate(folder.path);
    const settings = { ssl: 'on', ssl_cert_file: cert, ssl_key_file: key };
    await using server = await startPostgres({ settings });
    const url = new URL(await server.createDatabase());
    const isTls = async (host: string, parameters: string): Promise<boolean> => {
      url.hostname = host;
      url.search = parameters;
      await using store = await placeAt(url.href, 'run').open();
      await store.isEmpty();
      const rows = await server.query<{ ssl: boolean }>(
        Object.assign(new URL(url), { hostname: '127.0.0.1', search: '' }).href,
        `SELECT bool_and(ssl) AS ssl FROM pg_stat_ssl JOIN pg_stat_activity USING (pid) WHERE application_name = 'batch'`,
      );
      return rows[0]?.ssl === true;
    };
    const root = `sslrootcert=${encodeURIComponent(cert)}`;
    expect(await isTls('127.0.0.1', 'sslmode=disable')).toBe(false);
    expect(await isTls('127.0.0.1', '')).toBe(true);
    expect(await isTls('127.0.0.1', 'sslmode=require')).toBe(true);
    expect(await isTls('127.0.0.1', `sslmode=verify-ca&${root}`)).toBe(true);
    expect(await isTls('localhost', `sslmode=verify-full&${root}`)).toBe(true);
    await expect(isTls('localhost', 'sslmode=verify-full')).rejects.toThrow(BatchError);
    await expect(isTls('127.0.0.1', `sslmode=verify-full&${root}`)).rejects.toThrow(BatchError);
  });

  it('is asked for in vain where there is none', async () => {
    await using server = await startPostgres();
    const url = await server.createDatabase();
    await expect(placeAt(`${url}?sslmode=require`, 'run').open()).rejects.toThrow(/does not support SSL/);
    await using store = await placeAt(`${url}?sslmode=prefer`, 'run').open();
    expect(store.isNew).toBe(true);
  });
});
