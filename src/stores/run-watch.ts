/** How both stores follow a run that another process writes. */

import { type Status, statuses } from '../money/item.ts';
import { sqlList } from '../money/statuses.ts';
import type { StoreDatabase, StoreDialect } from './dialect.ts';
import { beforeFirst, inPages } from './pages.ts';
import type { Checkpoint } from './port/checkpoint.ts';
import type { RowMark, RunWatch, StatusSum } from './port/reading.ts';
import type { Store } from './port/store.ts';
import { reviewVersionName } from './reviews.ts';

/** Marks read at a time: they are short. */
const pageMarks = 10_000;

const selectMarks = 'SELECT key, row, gone, status, attempt FROM items';

const markPage = `
  ${selectMarks} WHERE status = @status AND (row, key) > (@row, @key) ORDER BY row, key LIMIT ${pageMarks}`;

export interface Watched extends Pick<Store, 'settings' | 'reviews'> {
  readonly checkpoint: Checkpoint;
}

type Shared = 'reviewVersion' | 'reviews' | 'marks' | 'marksOf' | 'items' | 'reportPages' | 'reportRowsOf';

export function watchIn(
  { dialect, rows }: StoreDatabase,
  { checkpoint, settings, reviews }: Watched,
): Pick<RunWatch, Shared> {
  return {
    reviewVersion: async () => Number((await settings.get(reviewVersionName)) ?? 0),
    reviews,
    async *marks() {
      for (const status of statuses)
        yield* inPages(beforeFirst, pageMarks, ({ row, key }) =>
          rows<RowMark>(markPage, { status, row, key }),
        );
    },
    marksOf: (keys) => rows(`${selectMarks} WHERE ${dialect.isIn('key', 'keys', 'int8')}`, { keys }),
    items: (wanted) => checkpoint.items(wanted),
    reportPages: () => checkpoint.reportPages(),
    reportRowsOf: (keys) => checkpoint.reportRowsOf(keys),
  };
}

/** In the order of `statuses`. */
export function sortSums(found: readonly StatusSum[]): readonly StatusSum[] {
  const sums = new Map<Status, StatusSum>(found.map((sum) => [sum.status, sum]));
  return statuses.flatMap((status) => sums.get(status) ?? []);
}

/** Rows whose points are not known, by the rule of `reportLine`: a sum of nothing is 0 only where nothing can have been charged. */
export const isUnpriced = ({ isShown }: StoreDialect): string => `
  (status = 'uncertain' OR (points IS NULL AND status NOT IN ${sqlList('free')})
    OR key IN (SELECT item FROM attempts WHERE status = 'lost' AND points IS NULL))
  AND ${isShown} AND (SELECT coalesce(sum(points), 0) FROM attempts WHERE item = items.key) = 0`;
