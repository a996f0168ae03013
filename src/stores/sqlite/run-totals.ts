/** Totals of a run that the database computes itself: why rows ended badly, and what is pending. */

import { type FailureGroups, failureKind } from '../../money/failure-groups.ts';
import { noRows, type QualityCounts } from '../../money/forecast/estimate.ts';
import type { PaidSums } from '../../money/forecast/price-range.ts';
import { type Quality, qualities, type Status, serviceDefaultQuality } from '../../money/item.ts';
import type { PaidRows } from '../../money/paid-rows.ts';
import { sqlList } from '../../money/statuses.ts';
import type { GoneCounts, RetryableRows, TextLengths, UnsentRetry } from '../port/reading.ts';
import { isPaid, isVisible, paidParams } from './checkpoint-statements.ts';
import type { Database } from './database.ts';

/** Listed kinds of failure: more than anyone reads, few enough to hold in memory. */
const listedKinds = 1_000;

/** Rows that can be sent as the file has them now: only they can get a new attempt. */
const isRetriable =
  'gone = 0 AND NOT EXISTS (SELECT 1 FROM edits WHERE item = items.key AND edits.failure IS NOT NULL)';

/** Failures by status and kind, the most frequent first. SQLite groups them, on disk if a million texts need it. */
export function readFailureGroups(db: Database): FailureGroups {
  db.function('failure_kind', (failure, id, task) =>
    failureKind(String(failure ?? ''), [String(task ?? ''), String(id)]),
  );
  type Row = {
    status: Status;
    kind: string;
    count: number;
    inFile: number;
    someId: string;
    least: string;
    most: string;
  };
  const found = db
    .prepare<[], Row>(
      `SELECT status, failure_kind(failure, id, task_id) AS kind, count(*) AS count,
         count(*) FILTER (WHERE ${isRetriable}) AS inFile, min(id) AS someId,
         min(coalesce(failure, '')) AS least, max(coalesce(failure, '')) AS most
       FROM items WHERE status IN ${sqlList('bad')} AND ${isVisible}
       GROUP BY 1, 2 ORDER BY count DESC, status, kind LIMIT ${listedKinds + 1}`,
    )
    .all();
  const groups = found
    .slice(0, listedKinds)
    .map(({ least, most, ...group }) => ({ ...group, failure: least === most ? least : null }));
  return { groups, areAll: found.length <= listedKinds };
}

/** Bad rows in the totals that are no longer in the file. */
export function readGoneCounts(db: Database): GoneCounts {
  const found = db
    .prepare<[], { status: Status; count: number }>(
      `SELECT status, count(*) AS count FROM items WHERE status IN ${sqlList('bad')} AND gone = 1 AND ${isVisible} GROUP BY status`,
    )
    .all();
  return Object.fromEntries(found.map(({ status, count }) => [status, count]));
}

/** Rows by their quality, as columns `h`, `m`, `l` and `none`. */
function countedBy(quality: string): string {
  const ofQuality = (each: Quality): string => `count(*) FILTER (WHERE ${quality} = '${each}') AS ${each}`;
  return `${qualities.map(ofQuality).join(', ')}, count(*) FILTER (WHERE ${quality} IS NULL) AS none`;
}

/** Pending rows by their own quality. */
export function readPendingQualities(db: Database, paid: PaidRows): QualityCounts {
  const found = db
    .prepare<ReturnType<typeof paidParams>, QualityCounts>(
      `SELECT ${countedBy('quality')} FROM items WHERE status = 'pending' AND gone = 0 AND ${isPaid()}`,
    )
    .get(paidParams(paid));
  return found ?? noRows;
}

/** Rows that a retry takes, with the quality of the text that it sends. */
export function readRetryable(db: Database): RetryableRows {
  const found = db
    .prepare<[], QualityCounts & { readonly status: Status }>(
      `SELECT items.status, ${countedBy('CASE WHEN edits.item IS NULL THEN items.quality ELSE edits.quality END')}
       FROM items LEFT JOIN edits ON edits.item = items.key
       WHERE items.status IN ${sqlList('retried')} AND ${isRetriable}
       GROUP BY items.status`,
    )
    .all();
  const of = (wanted: Status): QualityCounts => {
    const { status: _, ...rows } = found.find(({ status }) => status === wanted) ?? {
      status: wanted,
      ...noRows,
    };
    return rows;
  };
  return { failed: of('failed'), rejected: of('rejected'), lost: of('lost') };
}

/** Retries with rows that wait, the last one first. */
export function readUnsent(db: Database): readonly UnsentRetry[] {
  return db
    .prepare<[], QualityCounts & { readonly round: number }>(
      `SELECT orders.round, ${countedBy('items.quality')} FROM orders JOIN items ON items.key = orders.item
       WHERE items.status = 'pending' AND items.gone = 0 GROUP BY orders.round ORDER BY orders.round DESC`,
    )
    .all()
    .map(({ round, ...rows }) => ({ round, rows }));
}

/** Paid attempts that tell the price: the last ones are enough, and reading them all would take seconds. */
const pricedAttempts = 5_000;

/** The length of a text in a row as it was read; 0 where it has none. */
export function textLength(input: string, column: string): string {
  return `CASE WHEN json_valid(${input})
    THEN coalesce((SELECT length(e.value) FROM json_each(${input}) e WHERE e.key = ${column}), 0) ELSE 0 END`;
}

/** The question in a row as it was read, without what another program may change when saving. */
export function questionText(input: string, column: string): string {
  const value = `(SELECT e.value FROM json_each(${input}) e WHERE e.key = ${column})`;
  return `CASE WHEN json_valid(${input})
    THEN trim(replace(${value}, char(13, 10), char(10)), char(9, 10, 13, 32)) END`;
}

/** The column with the question, in the source of a row. */
const questionColumn = `s.source ->> '$.fields.question'`;

/** The question in a row of the run, as a statement with `readTexts` has it. */
export const itemQuestion = questionText('q.input', questionColumn);

const itemLength = textLength('q.input', questionColumn);

/** The text that each item was read with. */
export const readTexts = 'JOIN questions q ON q.item = m.key JOIN sources s ON s.key = m.source';

/** What was paid for videos, with the length of their texts. */
export function readPaidSums(db: Database): readonly PaidSums[] {
  return db
    .prepare<[], PaidSums>(
      `SELECT quality, count(*) AS videos, total(points) AS points, total(points * points) AS pointsSquared,
         total(length) AS characters, total(length * length) AS charactersSquared, total(length * points) AS products
       FROM (SELECT coalesce(a.quality, '${serviceDefaultQuality}') AS quality, a.points, ${itemLength} AS length
         FROM (SELECT item, quality, points FROM attempts WHERE points > 0 AND status <> 'failed'
           ORDER BY item DESC LIMIT ${pricedAttempts}) a JOIN items m ON m.key = a.item ${readTexts})
       GROUP BY quality`,
    )
    .all();
}

/** Lengths of the texts of waiting rows that meet this condition. */
export function pendingLengths(condition: string): string {
  return `SELECT m.quality, ${itemLength} AS length FROM items m ${readTexts}
    WHERE m.status = 'pending' AND m.gone = 0 AND m.key % @oneOf = 0 AND ${condition}`;
}

export function sumLengths(lengths: string): string {
  return `SELECT quality, count(*) AS rows, total(length) AS characters FROM (${lengths}) GROUP BY quality`;
}

export function readPendingLengths(db: Database, paid: PaidRows, oneOf: number): readonly TextLengths[] {
  return db
    .prepare<object, TextLengths>(sumLengths(pendingLengths(isPaid('m.'))))
    .all({ ...paidParams(paid), oneOf });
}
