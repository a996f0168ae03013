/** Reads the counters of the run as a whole. */

import { type Quality, qualities, type Status } from '../../money/item.ts';
import { createLedger, type Ledger, noteLargest } from '../../money/summary.ts';
import { type Asker, type Connections, type RunSigns, runSigns } from './connection/connections.ts';
import { offSettings } from './schema.ts';
import { isAlive } from './workers.ts';

/** The row of `run` with the counts of `sums`, which are those of one moment. */
export interface RunRow {
  readonly id: string;
  readonly schema: number;
  readonly change: number;
  readonly inputVersion: number;
  readonly round: number;
  readonly submittedRows: number;
  readonly badRows: number;
  readonly lastFact: number;
  readonly roundFact: number;
  readonly spent: number;
  readonly charged: number;
  readonly videos: number;
  readonly videoPoints: number;
  readonly unpriced: number;
  readonly longestTaskMs: number | null;
  readonly reserving: Readonly<Record<Quality, number>>;
  readonly largest: Readonly<Record<Quality, number>>;
  readonly counts: Readonly<Partial<Record<Status, number>>>;
  readonly creations: number;
  readonly server: string;
  readonly isConfirmed: boolean;
  readonly off: string | null;
  readonly crew: readonly string[];
}

/** A row of the run that left the file is no work left to do, so a pending one does not count. */
const text = `
  SELECT id, schema_version AS schema, change, input_version AS "inputVersion", round, submitted_rows AS "submittedRows", bad_rows AS "badRows",
    last_fact AS "lastFact", round_fact AS "roundFact", spent::float8 AS spent, charged, videos,
    video_points::float8 AS "videoPoints", unpriced, longest_task_ms AS "longestTaskMs",
    json_build_object('h', reserving_h, 'm', reserving_m, 'l', reserving_l) AS reserving,
    json_build_object('h', largest_h, 'm', largest_m, 'l', largest_l) AS largest,
    (SELECT coalesce(json_object_agg(status, CASE WHEN status = 'pending' THEN count - gone ELSE shown END), '{}') FROM sums)
      AS counts,
    (SELECT coalesce(sum(attempts), 0)::float8 FROM sums) AS creations,
    ${offSettings} AS off,
    this_server() AS server, server IS NOT DISTINCT FROM this_server() AS "isConfirmed",
    (SELECT coalesce(json_agg(name), '[]') FROM workers WHERE scratch IS NOT NULL AND ${isAlive}) AS crew
  FROM run`;

export async function readRun(asker: Asker): Promise<RunRow> {
  const [row] = await asker.rows<RunRow & Record<string, unknown>>(text);
  if (row === undefined) throw new Error('the run has no row');
  return row;
}

/** The id of the run, and by what its database is known. */
export async function readSigns(connections: Connections): Promise<RunSigns & { readonly id: string }> {
  const row = await connections.row<RunSigns & { id: string }>(`SELECT id, ${runSigns} FROM run`, [
    connections.schema,
  ]);
  if (row === undefined) throw new Error('the run has no row');
  return row;
}

export async function readRunId(asker: Asker): Promise<string> {
  const [row] = await asker.rows<{ id: string }>('SELECT id FROM run');
  if (row === undefined) throw new Error('the run has no row');
  return row.id;
}

export function ledgerOf(row: RunRow): Ledger {
  const ledger = createLedger();
  Object.assign(ledger.counts, row.counts);
  for (const quality of qualities) {
    if (row.reserving[quality] !== 0) ledger.reserving.set(quality, row.reserving[quality]);
    noteLargest(ledger, quality, row.largest[quality]);
  }
  const { spent, unpriced, longestTaskMs } = row;
  return Object.assign(ledger, { spent, unpriced, longestTaskMs });
}
