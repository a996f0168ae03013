/**
 * The password that PostgreSQL's own tools would use for an address without one: `PGPASSWORD`, or a line of `.pgpass`.
 * `pg` reads that file too, but with a warning on the terminal, and will not in its next version.
 */

import { readFileSync, statSync } from 'node:fs';
import { homedir, platform, userInfo } from 'node:os';
import { join } from 'node:path';
import { isClearAddress } from '../../../text/store-address.ts';

/** Environment variables that PostgreSQL's tools read. */
export type PasswordVariables = Readonly<Record<string, string | undefined>>;

/** The address with its password; unchanged where it has one, or none is found. */
export function withPassword(address: string, env: PasswordVariables): string {
  if (!isClearAddress(address)) return address;
  const url = new URL(address);
  if (url.password !== '' || url.searchParams.has('password')) return address;
  const password = env.PGPASSWORD ?? findPassword(url, env);
  if (password === null) return address;
  // An address without a host has no place for it in front of the host.
  url.searchParams.set('password', password);
  return url.href;
}

function findPassword(url: URL, env: PasswordVariables): string | null {
  const user = decodeURIComponent(url.username) || env.PGUSER || userInfo().username;
  const database = decodeURIComponent(url.pathname.slice(1)) || env.PGDATABASE || user;
  const wanted = [
    url.hostname || url.searchParams.get('host') || env.PGHOST || 'localhost',
    url.port || url.searchParams.get('port') || env.PGPORT || '5432',
    database,
    user,
  ];
  for (const line of linesOf(env.PGPASSFILE ?? join(homedir(), '.pgpass'))) {
    const fields = fieldsOf(line);
    const password = fields[wanted.length];
    if (password === undefined) continue;
    if (wanted.every((value, place) => fields[place] === '*' || fields[place] === value)) return password;
  }
  return null;
}

/** A file that others may read gives none: PostgreSQL's own tools ignore it, too. */
function linesOf(path: string): readonly string[] {
  try {
    const { mode } = statSync(path);
    if (platform() !== 'win32' && (mode & 0o77) !== 0) return [];
    return readFileSync(path, 'utf8').split(/\r?\n/);
  } catch {
    return [];
  }
}

/** `host:port:database:user:password`; a backslash keeps the colon or backslash after it. */
function fieldsOf(line: string): readonly string[] {
  if (line.startsWith('#')) return [];
  return [...line.matchAll(/((?:\\.|[^:\\])*)(?::|$)/g)].map(([, field = '']) =>
    field.replace(/\\(.)/g, '$1'),
  );
}
