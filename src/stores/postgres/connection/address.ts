/**
 * The address of the database: what `pg` needs to connect, and how messages name it. Its password is never shown.
 * `sslmode` means the same as for PostgreSQL's own tools; `pg` reads it otherwise.
 */

import { readFileSync } from 'node:fs';
import type { ConnectionOptions } from 'node:tls';
import { saidOf, UsageError } from '../../../errors.ts';
import { message } from '../../../messages/message.ts';
import { isClearAddress } from '../../../text/store-address.ts';

/** Environment variables (`PGSSLMODE`...) that PostgreSQL's tools read and `pg` does not, or reads otherwise. */
export type SslVariables = Readonly<
  Partial<Record<'PGSSLMODE' | 'PGSSLROOTCERT' | 'PGSSLCERT' | 'PGSSLKEY', string>>
>;

export interface Address {
  /** Without TLS parameters; contains the password. */
  readonly connectionString: string;
  /** Parameters that the address passes to the server. */
  readonly options: string;
  readonly ssl: false | ConnectionOptions;
  /** True where a server without TLS is good enough. */
  readonly mayBePlain: boolean;
  /** For messages: without password and parameters. */
  readonly name: string;
}

const sslParameters = ['sslmode', 'sslrootcert', 'sslcert', 'sslkey'] as const;

/** Throws `UsageError`. */
export function readAddress(text: string, variables: SslVariables = {}): Address {
  // The error of the parser would quote the address, and the password with it.
  if (!/^postgres(ql)?:\/\//.test(text) || !isClearAddress(text))
    throw new UsageError(message('store.no-address'));
  const url = new URL(text);
  const given = (name: (typeof sslParameters)[number]): string | undefined =>
    url.searchParams.get(name) ?? variables[`PG${name.toUpperCase()}` as keyof SslVariables];
  const mode = given('sslmode') ?? 'prefer';
  const ssl = readSsl({
    mode,
    rootCertificate: given('sslrootcert'),
    certificate: given('sslcert'),
    key: given('sslkey'),
    host: url.hostname,
  });
  const options = url.searchParams.get('options') ?? '';
  for (const name of [...sslParameters, 'options']) url.searchParams.delete(name);
  const { host, pathname } = url;
  const mayBePlain = mode === 'prefer' || mode === 'allow';
  return { connectionString: url.href, options, ssl, mayBePlain, name: `postgres://${host}${pathname}` };
}

function readSsl(given: {
  readonly mode: string;
  readonly rootCertificate: string | undefined;
  readonly certificate: string | undefined;
  readonly key: string | undefined;
  readonly host: string;
}): false | ConnectionOptions {
  const { mode, rootCertificate } = given;
  const own = { ...read('cert', given.certificate), ...read('key', given.key) };
  switch (mode) {
    case 'disable':
      return false;
    case 'allow':
    case 'prefer':
      return { ...own, rejectUnauthorized: false };
    case 'require':
      return rootCertificate === undefined
        ? { ...own, rejectUnauthorized: false }
        : { ...own, ...read('ca', rootCertificate), checkServerIdentity: () => undefined };
    case 'verify-ca':
      return { ...own, ...read('ca', rootCertificate), checkServerIdentity: () => undefined };
    case 'verify-full':
      return { ...own, ...read('ca', rootCertificate), servername: given.host };
    default:
      throw new UsageError(message('store.sslmode', { mode }));
  }
}

/** The file under the name that TLS gives it; nothing where none is named, or the system's certificates are. */
function read(name: 'ca' | 'cert' | 'key', path: string | undefined): ConnectionOptions {
  if (path === undefined || path === 'system') return {};
  try {
    return { [name]: readFileSync(path) };
  } catch (error) {
    throw new UsageError(message('refused.unreadable', { path, failure: saidOf(error) }), error);
  }
}
