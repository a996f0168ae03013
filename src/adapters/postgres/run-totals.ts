/** Totals of a run besides its counters: why rows ended badly, and what is pending. */

import { noRows } from '../../core/estimate.ts';
import { type FailureGroup, type FailureGroups, failureKind } from '../../core/failure-groups.ts';
import { qualities, type Status } from '../../core/item.ts';
import { badStatuses } from '../../core/summary.ts';
import type { RunTotals } from '../../store.ts';
import type { Connections } from './connections.ts';
import { readRun } from './run-row.ts';

/** Listed kinds of failure: more than anyone reads. */
const listedKinds = 1_000;

/** Kinds that are counted at all: a service with a new text for each row must not fill the memory. */
const mostKinds = 100_000;

const pageRows = 5_000;

export function totalsOf(connections: Connections): RunTotals {
  return {
    async prices() {
      const { charged, videos, videoPoints } = await readRun(connections);
      return { charged, perVideo: videos === 0 ? null : videoPoints / videos };
    },
    failureGroups: () => readFailureGroups(connections),
    async goneCounts() {
      const found = await connections.rows<{ status: Status; count: number }>(
        `SELECT status, count(*) AS count FROM items WHERE status = ANY ($1) AND gone = 1 AND shown GROUP BY status`,
        [[...badStatuses]],
        { isLong: true },
      );
      return Object.fromEntries(found.map(({ status, count }) => [status, count]));
    },
    async pendingQualities(only) {
      const counted = [...qualities, null]
        .map((quality) => {
          const condition = quality === null ? 'quality IS NULL' : `quality = '${quality}'`;
          return `count(*) FILTER (WHERE ${condition}) AS "${quality ?? 'none'}"`;
        })
        .join(', ');
      const text = `SELECT ${counted} FROM items WHERE status = 'pending' AND gone = 0`;
      const found =
        only === null
          ? await connections.row<Record<keyof typeof noRows, number>>(text, [], { isLong: true })
          : await connections.row<Record<keyof typeof noRows, number>>(`${text} AND id = ANY ($1)`, [only]);
      return found ?? noRows;
    },
  };
}

interface FailedRow {
  readonly key: number;
  readonly row: number;
  readonly id: string;
  readonly gone: number;
  readonly taskId: string | null;
  readonly failure: string | null;
}

type Group = { -readonly [Field in keyof FailureGroup]: FailureGroup[Field] };

/** Failures by status and kind, the most frequent first. The rule for kinds is the core's, so the rows come here. */
async function readFailureGroups(connections: Connections): Promise<FailureGroups> {
  const groups = new Map<string, Group>();
  let isAnyLeft = false;
  for (const status of badStatuses) {
    for await (const { id, gone, taskId, failure } of failedRows(connections, status)) {
      const text = failure ?? '';
      const kind = failureKind(text, [taskId ?? '', id]);
      const name = `${status} ${kind}`;
      const group = groups.get(name);
      if (group === undefined && groups.size >= mostKinds) isAnyLeft = true;
      else if (group === undefined)
        groups.set(name, { status, kind, failure: text, count: 1, inFile: 1 - gone, someId: id });
      else {
        group.count += 1;
        group.inFile += 1 - gone;
        if (id < group.someId) group.someId = id;
        if (group.failure !== text) group.failure = null;
      }
    }
  }
  const sorted = [...groups.values()].sort(
    (a, b) => b.count - a.count || compare(a.status, b.status) || compare(a.kind, b.kind),
  );
  return { groups: sorted.slice(0, listedKinds), areAll: !isAnyLeft && sorted.length <= listedKinds };
}

function compare(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

async function* failedRows(connections: Connections, status: Status): AsyncIterable<FailedRow> {
  const text = `SELECT key, row, id, gone, task_id AS "taskId", failure FROM items
    WHERE status = $1 AND (row, key) > ($2, $3) AND shown ORDER BY row, key LIMIT ${pageRows}`;
  let last = { row: -1, key: -1 };
  while (true) {
    const rows = await connections.rows<FailedRow & Record<string, unknown>>(text, [
      status,
      last.row,
      last.key,
    ]);
    yield* rows;
    const end = rows.at(-1);
    if (end === undefined || rows.length < pageRows) return;
    last = end;
  }
}
