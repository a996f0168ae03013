/** Totals of a run besides its counters: why rows ended badly, and what is pending. */

import { type FailureGroup, type FailureGroups, failureKind } from '../../money/failure-groups.ts';
import { noRows, type QualityCounts } from '../../money/forecast/estimate.ts';
import type { PaidSums } from '../../money/forecast/price-range.ts';
import { qualities, type Status, serviceDefaultQuality } from '../../money/item.ts';
import type { PaidRows } from '../../money/paid-rows.ts';
import { statusesWith } from '../../money/statuses.ts';
import type { RunTotals, TextLengths } from '../port/reading.ts';
import type { Connections } from './connection/connections.ts';
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
        [statusesWith('bad')],
        { isLong: true },
      );
      return Object.fromEntries(found.map(({ status, count }) => [status, count]));
    },
    async retryable() {
      const found = await connections.rows<Counted & { status: Status }>(
        retryable,
        [statusesWith('retried')],
        {
          isLong: true,
        },
      );
      const of = (wanted: Status): QualityCounts => {
        const { status: _, ...rows } = found.find(({ status }) => status === wanted) ?? {
          status: wanted,
          ...noRows,
        };
        return rows;
      };
      return { failed: of('failed'), rejected: of('rejected'), lost: of('lost') };
    },
    async unsent() {
      const found = await connections.rows<Counted & { round: number }>(unsent, [], { isLong: true });
      return found.map(({ round, ...rows }) => ({ round, rows }));
    },
    async pendingQualities(paid) {
      const { condition, values } = isPaid(paid);
      const text = `SELECT ${countedBy('quality')} FROM items WHERE status = 'pending' AND gone = 0 AND ${condition}`;
      return (await connections.row<Counted>(text, values, { isLong: true })) ?? noRows;
    },
    paidSums: () => connections.rows<PaidSums & Record<string, unknown>>(paidSums, [], { isLong: true }),
    pendingLengths: (paid, oneOf) => {
      const { condition, values } = isPaid(paid, 'm.');
      return connections.rows<TextLengths & Record<string, unknown>>(
        sumLengths(pendingLengths(condition, `$${values.length + 1}`)),
        [...values, oneOf],
        { isLong: true },
      );
    },
  };
}

type Counted = { [Name in keyof QualityCounts]: number };

/** Rows by their quality, as columns `h`, `m`, `l` and `none`. */
function countedBy(quality: string): string {
  const ofQuality = (each: string): string => `count(*) FILTER (WHERE ${quality} = '${each}') AS "${each}"`;
  return `${qualities.map(ofQuality).join(', ')}, count(*) FILTER (WHERE ${quality} IS NULL) AS "none"`;
}

/** The condition for waiting rows that are paid for, with its parameters; `of` is the name of the table with its dot. */
export function isPaid(
  { only, retry = null }: PaidRows,
  of = '',
): { readonly condition: string; readonly values: readonly unknown[] } {
  if (only !== null) return { condition: `${of}id = ANY ($1)`, values: [only] };
  if (retry === null) return { condition: 'true', values: [] };
  return { condition: `${of}key IN (SELECT item FROM orders WHERE round = $1)`, values: [retry] };
}

/** Rows that can be sent as the file has them now: only they can get a new attempt. */
const isRetriable =
  'gone = 0 AND NOT EXISTS (SELECT 1 FROM edits WHERE edits.item = items.key AND edits.failure IS NOT NULL)';

/** Rows that a retry takes, with the quality of the text that it sends. */
const retryable = `
  SELECT items.status, ${countedBy('CASE WHEN e.item IS NULL THEN items.quality ELSE e.quality END')}
  FROM items LEFT JOIN edits e ON e.item = items.key
  WHERE items.status = ANY ($1) AND ${isRetriable} GROUP BY items.status`;

const unsent = `
  SELECT o.round, ${countedBy('i.quality')} FROM orders o JOIN items i ON i.key = o.item
  WHERE i.status = 'pending' AND i.gone = 0 GROUP BY o.round ORDER BY o.round DESC`;

/** Paid attempts that tell the price: the last ones are enough, and reading them all would take seconds. */
const pricedAttempts = 5_000;

/**
 * The length of a text in a row as it was read; 0 where it has none. JSON may spell characters that a text of the server
 * cannot hold: it would refuse the row.
 */
export function textLength(input: string, column: string): string {
  return `CASE WHEN ${input} ~ '\\\\u(0000|d[89a-f])' THEN 0
    ELSE coalesce(length(${input}::json ->> ${column}), 0) END`;
}

/** The question in a row as it was read, without what another program may change when saving; null where it has none. */
export function questionText(input: string, column: string): string {
  return `CASE WHEN ${input} !~ '\\\\u(0000|d[89a-f])'
    THEN btrim(replace(${input}::json ->> ${column}, E'\\r\\n', E'\\n'), E' \\t\\r\\n') END`;
}

/** The column with the question, in the source of a row. */
const questionColumn = `(s.source::json -> 'fields' ->> 'question')`;

/** The question in a row of the run, in a statement with `readTexts`. */
export const itemQuestion = questionText('q.input', questionColumn);

const itemLength = textLength('q.input', questionColumn);

/** The text that each item was read with. */
export const readTexts = 'JOIN questions q ON q.item = m.key JOIN sources s ON s.key = m.source';

/** What was paid for videos, with the length of their texts. */
const paidSums = `
  SELECT quality, count(*) AS videos, sum(points) AS points, sum(points * points) AS "pointsSquared",
    sum(length) AS characters, sum(length * length) AS "charactersSquared", sum(length * points) AS products
  FROM (SELECT coalesce(a.quality, '${serviceDefaultQuality}') AS quality, a.points::float8 AS points,
      (${itemLength})::float8 AS length
    FROM (SELECT item, quality, points FROM attempts WHERE points > 0 AND status <> 'failed'
      ORDER BY item DESC LIMIT ${pricedAttempts}) a JOIN items m ON m.key = a.item ${readTexts}) paid
  GROUP BY quality`;

/** Lengths of the texts of waiting rows that meet this condition, of one row in so many. */
export function pendingLengths(condition: string, oneOf: string): string {
  return `SELECT m.quality, ${itemLength} AS length FROM items m ${readTexts}
    WHERE m.status = 'pending' AND m.gone = 0 AND m.key % ${oneOf}::int8 = 0 AND ${condition}`;
}

export function sumLengths(lengths: string): string {
  return `SELECT quality, count(*) AS rows, sum(length::float8) AS characters FROM (${lengths}) found GROUP BY quality`;
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
    for await (const { id, inFile, taskId, failure } of failedRows(connections, status)) {
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
  return { groups: sorted.slice(0, listedKinds), areAll: !isAnyLeft && sorted.length <= listedKinds };
}

function compare(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

async function* failedRows(connections: Connections, status: Status): AsyncIterable<FailedRow> {
  const text = `SELECT key, row, id, (${isRetriable})::int AS "inFile", task_id AS "taskId", failure FROM items
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
