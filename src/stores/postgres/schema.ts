/** The run's own schema: made, brought up to date, or refused. */

import { CheckpointError, UsageError } from '../../errors.ts';
import { type Message, message } from '../../messages/message.ts';
import { migrationsIn } from '../core-words.ts';
import { type Asker, type Client, type Connections, inTransaction } from './connection/connections.ts';
import { lacksPermission } from './connection/server-errors.ts';

const migrations = () => migrationsIn(new URL('./migrations/', import.meta.url));

/** The version of the schema that this version of the tool writes. */
export function newestVersion(): number {
  return migrations().length;
}

/** The schema of a run. Throws `UsageError` for a name that cannot be one. */
export function schemaOf(run: string): string {
  // PostgreSQL cuts names at 63 bytes, and the engine's schema has a suffix.
  if (!/^[a-z0-9_-]{1,40}$/.test(run)) throw new UsageError(message('store.bad-name', { run }));
  return `batch_${run}`;
}

/** Where the run is, for messages too. */
type Place = Pick<Connections, 'name' | 'schema'>;

/** The relation that is, or is not, the table `run` of a run. */
const relation = `
  SELECT n.nspname AS schema, has_schema_privilege(n.oid, 'USAGE') AS "isAllowed", c.relkind = 'r' AND EXISTS (
      SELECT 1 FROM pg_attribute
      WHERE attrelid = c.oid AND attname = 'schema_version' AND atttypid = 'int8'::regtype AND NOT attisdropped
    ) AS "isOurs"
  FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace WHERE n.nspname LIKE $1 AND c.relname = 'run'
  ORDER BY 1`;

/** What may stand for any text in the pattern of a schema's name. */
const literal = (schema: string): string => schema.replace(/[_%]/g, String.raw`\$&`);

/** The names of the runs in the database that this user may see. */
export async function findRuns(asker: Asker): Promise<readonly string[]> {
  const found = await asker.rows<FoundRelation>(relation, [`${literal('batch_')}%`]);
  return found.filter(({ isAllowed, isOurs }) => isAllowed && isOurs).map(({ schema }) => schema.slice(6));
}

interface FoundRelation {
  readonly schema: string;
  readonly isAllowed: boolean;
  readonly isOurs: boolean;
}

/** The version of the schema that holds the run; null where there is none. Throws `UsageError` where something else is there. */
export async function findVersion({ name, schema }: Place, asker: Asker): Promise<number | null> {
  const [found] = await asker.rows<FoundRelation>(relation, [literal(schema)]);
  if (found === undefined) return null;
  // Without it the server says that there are no tables.
  if (!found.isAllowed) throw lacksPermission(name, `permission denied for schema ${schema}`);
  const text = 'SELECT schema_version AS version FROM run';
  const [run] = found.isOurs ? await asker.rows<{ version: number | null }>(text) : [];
  if (run?.version != null && run.version > 0) return run.version;
  throw new UsageError(message('store.other-version', { schema, name }));
}

/** Refuses a run that this version can only misread. */
export function checkNotNewer(place: Place, version: number): void {
  const known = newestVersion();
  if (version > known)
    throw new CheckpointError(
      message('store.newer-run', { schema: place.schema, name: place.name, version, known }),
    );
}

/** Makes the run, or brings it up to date. True where this process made it. */
export async function migrate(connections: Connections): Promise<boolean> {
  const version = await findVersion(connections, connections);
  if (version === newestVersion()) return false;
  if (version === null) await checkServer(connections);
  else checkNotNewer(connections, version);
  return connections.withClient((client) => inTransaction(client, () => migrateIn(client, connections)));
}

async function migrateIn(client: Client, connections: Connections): Promise<boolean> {
  const { schema } = connections;
  // Two processes that make one run at once: the second finds what the first made.
  await client.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [schema]);
  const asker: Asker = { rows: async (text, values = []) => (await client.query(text, [...values])).rows };
  const version = await findVersion(connections, asker);
  if (version === null) await makeSchema(connections, asker);
  else checkNotNewer(connections, version);
  for (const sql of migrations().slice(version ?? 0)) await client.query(sql);
  await client.query('UPDATE run SET schema_version = $1', [newestVersion()]);
  return version === null;
}

async function makeSchema({ name, schema }: Place, asker: Asker): Promise<void> {
  const others = 'SELECT 1 FROM pg_class WHERE relnamespace = to_regnamespace($1) LIMIT 1';
  if ((await asker.rows(others, [`"${schema}"`])).length > 0)
    throw new UsageError(message('store.other-tables', { schema, name }));
  await asker.rows(`CREATE SCHEMA IF NOT EXISTS "${schema}"`);
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
    throw new UsageError(
      message('store.old-server', { server: connections.name, version: name, least: oldest.name }),
    );
  if (encoding !== 'UTF8')
    throw new UsageError(message('store.encoding', { name: connections.name, encoding }));
}

/** Settings that are off and without which a commit of this session may be forgotten by a power cut, as a text; null for none. */
export const offSettings = `(SELECT string_agg(name, ', ') FROM unnest(ARRAY['fsync', 'full_page_writes', 'synchronous_commit']) name
  WHERE current_setting(name) = 'off')`;

/** Refuses a server that may forget what it said was saved: rows would be paid for again. */
export async function checkDurable(connections: Connections): Promise<void> {
  const found = await connections.row<{ off: string | null }>(`SELECT ${offSettings} AS off`);
  if (found?.off != null) throw new UsageError(notDurable(connections.name, found.off));
}

export function notDurable(name: string, settings: string): Message {
  return message('store.not-durable', { name, settings });
}
