/** The run's own schema: made, brought up to date, or refused. */

import { readdirSync, readFileSync } from 'node:fs';
import { CheckpointError, UsageError } from '../../errors.ts';
import { fillLists } from '../../money/statuses.ts';
import { type Client, type Connections, inTransaction } from './connection/connections.ts';
import { lacksPermission } from './connection/server-errors.ts';

const migrationsFolder = new URL('./migrations/', import.meta.url);

/** The schema of a run. Throws `UsageError` for a name that cannot be one. */
export function schemaOf(run: string): string {
  // PostgreSQL cuts names at 63 bytes, and the engine's schema has a suffix.
  if (!/^[a-z0-9_-]{1,40}$/.test(run))
    throw new UsageError(
      `${run} cannot name a run; use up to 40 lower-case letters, digits, hyphens and underscores`,
    );
  return `batch_${run}`;
}

/** The version of the schema that holds the run; null where there is none. */
export async function findVersion(connections: Connections): Promise<number | null> {
  const { name, schema } = connections;
  const found = await connections.row<{ isAllowed: boolean }>(
    `SELECT has_schema_privilege(schemaname, 'USAGE') AS "isAllowed" FROM pg_tables
     WHERE schemaname = $1 AND tablename = 'run'`,
    [schema],
  );
  if (found === undefined) return null;
  // Without it the server says that there are no tables.
  if (!found.isAllowed) throw lacksPermission(name, `permission denied for schema ${schema}`);
  const version = await connections.row<{ version: number }>('SELECT schema_version AS version FROM run');
  return version?.version ?? null;
}

/** Refuses a run that this version can only misread. */
export function checkVersion(connections: Connections, version: number): void {
  const known = migrations().length;
  const place = `the run ${connections.schema} in ${connections.name}`;
  if (version > known)
    throw new CheckpointError(
      `${place} is of a newer version of batch (schema ${version}, this one knows ${known}); update batch`,
    );
  if (version < known)
    throw new CheckpointError(
      `${place} is of an older version of batch; \`batch resume\` brings it up to date`,
    );
}

/** Makes the run, or brings it up to date. True where this process made it. */
export async function migrate(connections: Connections): Promise<boolean> {
  const version = await findVersion(connections);
  if (version === migrations().length) return false;
  if (version === null) await checkServer(connections);
  else if (version > migrations().length) checkVersion(connections, version);
  return connections.withClient((client) => inTransaction(client, () => migrateIn(client, connections)));
}

async function migrateIn(client: Client, connections: Connections): Promise<boolean> {
  const { schema } = connections;
  // Two processes that make one run at once: the second finds what the first made.
  await client.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [schema]);
  const found = await client.query<{ tables: number; has_run: boolean }>(
    `SELECT count(*) AS tables, count(*) FILTER (WHERE tablename = 'run') = 1 AS has_run
     FROM pg_tables WHERE schemaname = $1`,
    [schema],
  );
  const { tables = 0, has_run: hasRun = false } = found.rows[0] ?? {};
  if (tables > 0 && !hasRun)
    throw new UsageError(
      `the schema ${schema} in ${connections.name} holds the tables of another program; choose another --run`,
    );
  if (!hasRun) await client.query(`CREATE SCHEMA IF NOT EXISTS "${schema}"`);
  const version = hasRun ? await versionIn(client) : 0;
  if (version > migrations().length) checkVersion(connections, version);
  for (const sql of migrations().slice(version)) await client.query(fillLists(sql));
  await client.query('UPDATE run SET schema_version = $1', [migrations().length]);
  return !hasRun;
}

async function versionIn(client: Client): Promise<number> {
  const found = await client.query<{ version: number }>(
    'SELECT schema_version AS version FROM run FOR UPDATE',
  );
  return found.rows[0]?.version ?? 0;
}

const oldest = { number: 150_000, name: '15' };

/** Refuses a server that is too old, and a database that cannot keep every text, before anything is made in it. */
async function checkServer(connections: Connections): Promise<void> {
  const found = await connections.row<{ version: number; name: string; encoding: string }>(
    `SELECT current_setting('server_version_num')::int AS version, current_setting('server_version') AS name,
       current_setting('server_encoding') AS encoding`,
  );
  if (found === undefined) return;
  const { version, name, encoding } = found;
  if (version < oldest.number)
    throw new UsageError(`${connections.name} is PostgreSQL ${name}; batch needs ${oldest.name} or newer`);
  if (encoding !== 'UTF8')
    throw new UsageError(
      `${connections.name} is a database in ${encoding}, which cannot keep every text; make one with \`createdb --encoding=UTF8 --template=template0\``,
    );
}

/** Settings of the server without which a commit may be forgotten by a power cut. */
const durable = ['fsync', 'full_page_writes', 'synchronous_commit'];

/** Refuses a server that may forget what it said was saved: rows would be paid for again. */
export async function checkDurable(connections: Connections): Promise<void> {
  const off = await connections.rows<{ name: string }>(
    `SELECT name FROM pg_settings WHERE name = ANY ($1) AND setting = 'off' ORDER BY name`,
    [durable],
  );
  if (off.length === 0) return;
  const names = off.map(({ name }) => name).join(', ');
  throw new UsageError(
    `${connections.name} runs with ${names} off: a power cut would make it forget what was paid for; switch it on`,
  );
}

/** The numbered migrations in order; a released one is never edited. */
function migrations(): readonly string[] {
  return readdirSync(migrationsFolder)
    .filter((name) => name.endsWith('.sql'))
    .sort()
    .map((name) => readFileSync(new URL(name, migrationsFolder), 'utf8'));
}
