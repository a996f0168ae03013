/** The processes of a run: who lives, and what each works on. */

import { fixed } from '../../money/policy.ts';
import type { WorkerMark, WorkerNote } from '../port/sharing.ts';
import type { Connections } from './connection/connections.ts';

/** A process that died is shown for a day (ms). */
const forgottenMs = 24 * 60 * 60_000;

/** True for a process that is not silent. */
export const isAlive = `is_heard(heard_at, ${fixed.workerSilenceMs})`;

export async function isAnyAlive(connections: Connections): Promise<boolean> {
  return (await connections.row(`SELECT 1 AS n FROM workers WHERE ${isAlive} LIMIT 1`)) !== undefined;
}

export async function noteWorker(connections: Connections, name: string, note: WorkerNote): Promise<void> {
  const { host, pid, slices, rows, version, scratch } = note;
  await connections.rows(
    `INSERT INTO workers (name, host, pid, started_at, heard_at, slices, rows, version, scratch)
     VALUES ($1, $2, $3, now_ms(), now_ms(), $4, $5, $6, $7)
     ON CONFLICT (name) DO UPDATE SET heard_at = now_ms(), slices = excluded.slices, rows = excluded.rows,
       scratch = excluded.scratch`,
    [name, host, pid, JSON.stringify(slices), JSON.stringify(rows), version, scratch],
  );
}

/** Tried once: the others notice by themselves that a process is silent. */
export async function forgetWorker(connections: Connections, name: string): Promise<void> {
  const text = `DELETE FROM workers WHERE name = $1 OR heard_at < now_ms() - ${forgottenMs}`;
  await connections.rows(text, [name], { isOnce: true }).catch(() => {});
}

export async function readWorkers(connections: Connections): Promise<readonly WorkerMark[]> {
  return connections.rows<WorkerMark & Record<string, unknown>>(
    `SELECT name, host, pid, started_at AS "startedAt", heard_at AS "lastSeenAt", slices, rows, version, scratch,
       ${isAlive} AS "isAlive"
     FROM workers ORDER BY name`,
  );
}
