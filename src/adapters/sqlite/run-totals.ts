/** Totals of a run that the database computes itself: why rows ended badly, and what is pending. */

import { noRows, type QualityCounts } from '../../core/estimate.ts';
import { type FailureGroups, failureKind } from '../../core/failure-groups.ts';
import { type Quality, qualities, type Status, serviceDefaultQuality } from '../../core/item.ts';
import type { PaidSums } from '../../core/price-range.ts';
import { badStatuses } from '../../core/summary.ts';
import type { GoneCounts, TextLengths } from '../../store.ts';
import { isNamed, isVisible } from './checkpoint-statements.ts';
import type { Database } from './database.ts';

/** Listed kinds of failure: more than anyone reads, few enough to hold in memory. */
const listedKinds = 1_000;

const bad = [...badStatuses].map((status) => `'${status}'`).join(', ');

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
         count(*) FILTER (WHERE gone = 0) AS inFile, min(id) AS someId,
         min(coalesce(failure, '')) AS least, max(coalesce(failure, '')) AS most
       FROM items WHERE status IN (${bad}) AND ${isVisible}
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
      `SELECT status, count(*) AS count FROM items WHERE status IN (${bad}) AND gone = 1 AND ${isVisible} GROUP BY status`,
    )
    .all();
  return Object.fromEntries(found.map(({ status, count }) => [status, count]));
}

/** Pending rows by their own quality; `only` names ids. */
export function readPendingQualities(db: Database, only: readonly string[] | null): QualityCounts {
  const ofQuality = (quality: Quality): string =>
    `count(*) FILTER (WHERE quality = '${quality}') AS ${quality}`;
  const found = db
    .prepare<{ only: string | null }, QualityCounts>(
      `SELECT ${qualities.map(ofQuality).join(', ')}, count(*) FILTER (WHERE quality IS NULL) AS none FROM items
       WHERE status = 'pending' AND gone = 0 AND ${isNamed}`,
    )
    .get({ only: only === null ? null : JSON.stringify(only) });
  return found ?? noRows;
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

export function readPendingLengths(
  db: Database,
  only: readonly string[] | null,
  oneOf: number,
): readonly TextLengths[] {
  return db
    .prepare<object, TextLengths>(sumLengths(pendingLengths(isNamed)))
    .all({ only: only === null ? null : JSON.stringify(only), oneOf });
}
