/** Totals of a run besides its counters: why rows ended badly, and what is pending. */

import {
  type FailureGroup,
  type FailureGroups,
  failureKind,
  listGroups,
} from '../../money/failure-groups.ts';
import type { Status } from '../../money/item.ts';
import { statusesWith } from '../../money/statuses.ts';
import { beforeFirst, inPages } from '../pages.ts';
import type { RunTotals } from '../port/reading.ts';
import { isRetriable, totalsIn } from '../run-totals.ts';
import type { Connections } from './connection/connections.ts';
import { postgresDatabase } from './dialect.ts';
import { readRun } from './run-row.ts';

/** Kinds that are counted at all: a service with a new text for each row must not fill the memory. */
const mostKinds = 100_000;

const pageRows = 5_000;

export function postgresTotals(connections: Connections): RunTotals {
  return {
    ...totalsIn(postgresDatabase(connections, { isLong: true })),
    async prices() {
      const { charged, videos, videoPoints } = await readRun(connections);
      return { charged, perVideo: videos === 0 ? null : videoPoints / videos };
    },
    failureGroups: () => readFailureGroups(connections),
  };
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
