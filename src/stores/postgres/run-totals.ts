/** Totals of a run besides its counters: why rows ended badly, and what is pending. */

import {
  type FailureGroup,
  type FailureGroups,
  failureKind,
  listGroups,
} from '../../money/failure-groups.ts';
import { noRows, type QualityCounts } from '../../money/forecast/estimate.ts';
import type { Status } from '../../money/item.ts';
import type { PaidRows } from '../../money/paid-rows.ts';
import { sqlList, statusesWith } from '../../money/statuses.ts';
import { beforeFirst, inPages } from '../pages.ts';
import type { RunTotals } from '../port/reading.ts';
import { byQuality, isRetriable, retryableOf, type StatusRow, totalsIn } from '../run-totals.ts';
import type { Asker, Connections } from './connection/connections.ts';
import { postgresDatabase } from './dialect.ts';
import { readRun } from './run-row.ts';

/** Kinds that are counted at all: a service with a new text for each row must not fill the memory. */
const mostKinds = 100_000;

const pageRows = 5_000;

/** The schema since which a run counts qualities by itself. */
export const countsSince = 2;

/** A run whose `schema` is of an earlier version counts no qualities by itself. */
export function postgresTotals(connections: Connections, schema: number): RunTotals {
  const totals = totalsIn(postgresDatabase(connections, { isLong: true }));
  const asCounted: Pick<RunTotals, 'pendingQualities' | 'retryable'> = {
    pendingQualities: async (paid) =>
      (await countedQualities(connections, paid)) ?? (await totals.pendingQualities(paid)),
    retryable: async () => retryableOf(await connections.rows<StatusRow>(retryable)),
  };
  return {
    ...totals,
    ...(schema >= countsSince ? asCounted : {}),
    async prices() {
      const { charged, videos, videoPoints } = await readRun(connections);
      return { charged, perVideo: videos === 0 ? null : videoPoints / videos };
    },
    failureGroups: () => readFailureGroups(connections),
  };
}

/** Rows of the input by their quality, as the triggers count them: to count them anew takes seconds where there are millions. */
const counted = 'SELECT status, h, m, l, count - gone - h - m - l AS none FROM sums';

const changed = 'FROM edits e JOIN items i ON i.key = e.item WHERE i.gone = 0 GROUP BY i.status';

/** Rows that a retry takes: those whose text has changed since have the quality of the new one, if it can be sent. */
const retryable = `
  SELECT status, sum(h)::int8 AS h, sum(m)::int8 AS m, sum(l)::int8 AS l, sum(none)::int8 AS none FROM (
    ${counted}
    UNION ALL SELECT status, -h, -m, -l, -none FROM (SELECT i.status, ${byQuality('i.quality')} ${changed}) AS before
    UNION ALL SELECT i.status, ${byQuality('e.quality', 'e.failure IS NULL')} ${changed}
  ) AS parts WHERE status IN ${sqlList('retried')} GROUP BY status`;

/** Of all rows that wait; null where only some of them are paid for. */
export async function countedQualities(
  asker: Asker,
  { only, retry = null }: PaidRows,
): Promise<QualityCounts | null> {
  if (only !== null || retry !== null) return null;
  const [found] = await asker.rows<StatusRow>(`${counted} WHERE status = 'pending'`);
  if (found === undefined) return noRows;
  const { status: _, ...rows } = found;
  return rows;
}

interface FailedRow {
  readonly key: number;
  readonly row: number;
  readonly id: string;
  /** 1 where it can get a new attempt. */
  readonly inFile: number;
  readonly taskId: string | null;
  readonly failure: string | null;
}

type Group = { -readonly [Field in keyof FailureGroup]: FailureGroup[Field] };

/** Failures by status and kind, the most frequent first. The rule for kinds is the core's, so the rows come here. */
async function readFailureGroups(connections: Connections): Promise<FailureGroups> {
  const groups = new Map<string, Group>();
  let isAnyLeft = false;
  for (const status of statusesWith('bad')) {
    for await (const page of failedRows(connections, status))
      for (const { id, inFile, taskId, failure } of page) {
        const text = failure ?? '';
        const kind = failureKind(text, [taskId ?? '', id]);
        const name = `${status} ${kind}`;
        const group = groups.get(name);
        if (group === undefined && groups.size >= mostKinds) isAnyLeft = true;
        else if (group === undefined)
          groups.set(name, { status, kind, failure: text, count: 1, inFile, someId: id });
        else {
          group.count += 1;
          group.inFile += inFile;
          if (id < group.someId) group.someId = id;
          if (group.failure !== text) group.failure = null;
        }
      }
  }
  const sorted = [...groups.values()].sort(
    (a, b) => b.count - a.count || compare(a.status, b.status) || compare(a.kind, b.kind),
  );
  return listGroups(sorted, isAnyLeft);
}

function compare(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

function failedRows(connections: Connections, status: Status): AsyncIterable<readonly FailedRow[]> {
  const text = `SELECT key, row, id, (${isRetriable})::int AS "inFile", task_id AS "taskId", failure FROM items
    WHERE status = $1 AND (row, key) > ($2, $3) AND shown ORDER BY row, key LIMIT ${pageRows}`;
  return inPages(beforeFirst, pageRows, ({ row, key }) =>
    connections.rows<FailedRow & Record<string, unknown>>(text, [status, row, key]),
  );
}
