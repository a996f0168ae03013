/**
 * Connection poolers between the program and the server. One that passes on whole sessions is as good as the server. One
 * that shares them, or drops their settings, is refused before anything is made: the tables of all runs would be looked
 * for in one schema, and a paid run not found again.
 */

import type pg from 'pg';
import { messageOf, UsageError } from '../../../errors.ts';
import { message } from '../../../messages/message.ts';

/** True for an error that only a pooler has. */
export function isOfPooler(error: unknown): boolean {
  return /unsupported startup parameter|prepared statement "batch_\d+" (already exists|does not exist)/.test(
    messageOf(error),
  );
}

export function poolerRefused(name: string, error?: unknown): UsageError {
  return new UsageError(message('store.pooler', { name }), error);
}

/** With the process that the server announced for the connection; `pg` has it, its types do not. */
type Announced = pg.ClientBase & { readonly processID?: number | null };

const ask = `SELECT current_setting('search_path') AS path, pg_backend_pid() AS pid`;

/** Throws `UsageError` for a pooler that shares sessions. `connectAgain` opens a second connection, which is closed again. */
export async function refusePooler(
  client: Announced,
  {
    name,
    schema,
    connectAgain,
  }: { name: string; schema: string; connectAgain: () => Promise<pg.PoolClient> },
): Promise<void> {
  const [before] = (await client.query<{ path: string; pid: number }>(ask)).rows;
  if (before?.path.replaceAll('"', '') !== schema) throw poolerRefused(name);
  if (before.pid === client.processID) return;
  // While the other one keeps the session in a transaction, a shared one answers from another process.
  const other = await connectAgain();
  try {
    await other.query('BEGIN');
    await other.query(ask);
    const [after] = (await client.query<{ pid: number }>(ask)).rows;
    if (after?.pid !== before.pid) throw poolerRefused(name);
  } finally {
    other.release(true);
  }
}
