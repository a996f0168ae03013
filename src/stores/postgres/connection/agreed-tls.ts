/** Whether TLS is spoken with a server that may do without it: for clients of `pg` that cannot find out themselves. */

import pg from 'pg';
import type { Address } from './address.ts';
import { hasNoTls } from './server-errors.ts';

const connectMs = 10_000;

export async function agreedTls(address: Address): Promise<Address['ssl']> {
  const { connectionString, ssl, mayBePlain } = address;
  if (ssl === false || !mayBePlain) return ssl;
  const client = new pg.Client({ connectionString, ssl, connectionTimeoutMillis: connectMs });
  client.on('error', () => {});
  try {
    await client.connect();
    return ssl;
  } catch (error) {
    return hasNoTls(error) ? false : ssl;
  } finally {
    await client.end().catch(() => {});
  }
}
