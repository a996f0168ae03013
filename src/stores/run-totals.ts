/** What both stores let their database count: what is pending, what a retry takes, and what was paid for how long a text. */

import { noRows, type QualityCounts } from '../money/forecast/estimate.ts';
import type { PaidSums } from '../money/forecast/price-range.ts';
import { qualities, type Status } from '../money/item.ts';
import type { PaidRows } from '../money/paid-rows.ts';
import { sqlList, statusesWith } from '../money/statuses.ts';
import { usedQuality } from './core-words.ts';
import type { StoreDatabase, StoreDialect } from './dialect.ts';
import type { RetryableRows, RunTotals, TextLengths } from './port/reading.ts';

export function totalsIn(database: StoreDatabase): Omit<RunTotals, 'prices' | 'failureGroups'> {
  const { dialect } = database;
  return {
    async goneCounts() {
      const found = await database.rows<{ status: Status; count: number }>(`
        SELECT status, count(*) AS count FROM items
        WHERE status IN ${sqlList('bad')} AND gone = 1 AND ${dialect.isShown} GROUP BY status`);
      return Object.fromEntries(found.map(({ status, count }) => [status, count]));
    },
    retryable: async () => retryableOf(await database.rows<StatusRow>(retryable)),
    async unsent() {
      const found = await database.rows<QualityCounts & { readonly round: number }>(unsent);
      return found.map(({ round, ...rows }) => ({ round, rows }));
    },
    async pendingQualities(paid) {
      const [rows] = await database.rows<QualityCounts>(
        `SELECT ${byQuality('quality')} FROM items WHERE status = 'pending' AND gone = 0 AND ${isPaid(dialect, paid)}`,
        { ...paid },
      );
      return rows ?? noRows;
    },
    async completedQualities() {
      const [rows] = await database.rows<QualityCounts>(
        `SELECT ${byQuality('quality')} FROM items WHERE status = 'completed' AND gone = 0`,
      );
      return rows ?? noRows;
    },
    paidSums: () => database.rows<PaidSums>(paidSums(dialect)),
    pendingLengths: (paid, oneOf) =>
      database.rows<TextLengths>(sumLengths(pendingLengths(dialect, isPaid(dialect, paid, 'm.'))), {
        ...paid,
        oneOf,
      }),
  };
}

export type StatusRow = QualityCounts & { readonly status: Status };

/** Of each status that a retry takes; what was found lacks those without rows. */
export function retryableOf(found: readonly StatusRow[]): RetryableRows {
  const counts = new Map<Status, QualityCounts>(found.map(({ status, ...rows }) => [status, rows]));
  const all = statusesWith('retried').map((status) => [status, counts.get(status) ?? noRows]);
  return Object.fromEntries(all) as RetryableRows;
}

/** Rows by their quality, as columns `h`, `m`, `l` and `none`; of these rows alone. */
export function byQuality(quality: string, condition = 'true'): string {
  const counted = (is: string, name: string): string =>
    `count(*) FILTER (WHERE ${condition} AND ${quality} ${is}) AS ${name}`;
  return [...qualities.map((each) => counted(`= '${each}'`, each)), counted('IS NULL', 'none')].join(', ');
}

/**
 * Waiting rows that are paid for, by a condition with the parameters `@only` and `@retry`; `of` is the name of the table
 * with its dot.
 */
export function isPaid({ isIn }: StoreDialect, { only, retry = null }: PaidRows, of = ''): string {
  if (only !== null) return isIn(`${of}id`, 'only', 'text');
  return retry === null ? 'true' : `${of}key IN (SELECT item FROM orders WHERE round = @retry)`;
}

/** Rows that can be sent as the file has them now: only they can get a new attempt. */
export const isRetriable =
  'gone = 0 AND NOT EXISTS (SELECT 1 FROM edits WHERE edits.item = items.key AND edits.failure IS NOT NULL)';

/** Rows that a retry takes, with the quality of the text that it sends. */
const retryable = `
  SELECT items.status, ${byQuality('CASE WHEN e.item IS NULL THEN items.quality ELSE e.quality END')}
  FROM items LEFT JOIN edits e ON e.item = items.key
  WHERE items.status IN ${sqlList('retried')} AND ${isRetriable} GROUP BY items.status`;

/** Retries with rows that wait, the last one first. */
const unsent = `
  SELECT o.round, ${byQuality('i.quality')} FROM orders o JOIN items i ON i.key = o.item
  WHERE i.status = 'pending' AND i.gone = 0 GROUP BY o.round ORDER BY o.round DESC`;

/** The text that each item was read with. */
export const readTexts = 'JOIN questions q ON q.item = m.key JOIN sources s ON s.key = m.source';

/** Paid attempts that tell the price: the last ones are enough, and reading them all would take seconds. */
const pricedAttempts = 5_000;

/** As numbers with a fraction: their sums and squares are larger than integers. */
const real = (value: string): string => `CAST(${value} AS double precision)`;

/** What was paid for videos, with the length of their texts. */
function paidSums({ textLength, questionColumn }: StoreDialect): string {
  return `
    SELECT quality, count(*) AS videos, sum(points) AS points, sum(points * points) AS "pointsSquared",
      sum(length) AS characters, sum(length * length) AS "charactersSquared", sum(length * points) AS products
    FROM (SELECT ${usedQuality('a.quality')} AS quality, ${real('a.points')} AS points,
        ${real(textLength('q.input', questionColumn))} AS length
      FROM (SELECT item, quality, points FROM attempts WHERE points > 0 AND status <> 'failed'
        ORDER BY item DESC LIMIT ${pricedAttempts}) a JOIN items m ON m.key = a.item ${readTexts}) paid
    GROUP BY quality`;
}

/** Lengths of the texts of waiting rows that meet this condition, of one row in `@oneOf`. */
export function pendingLengths({ textLength, questionColumn }: StoreDialect, condition: string): string {
  return `SELECT m.quality, ${textLength('q.input', questionColumn)} AS length FROM items m ${readTexts}
    WHERE m.status = 'pending' AND m.gone = 0 AND m.key % CAST(@oneOf AS int8) = 0 AND ${condition}`;
}

export function sumLengths(lengths: string): string {
  return `SELECT quality, count(*) AS rows, sum(${real('length')}) AS characters FROM (${lengths}) found GROUP BY quality`;
}
