/** What people decided about money, as both stores read it. */

import type { StoreDatabase } from './dialect.ts';
import { pageRows } from './item-rows.ts';
import { inPages } from './pages.ts';
import type { Decisions, NotedDecision } from './port/decisions.ts';
import { selectList, tables } from './tables.ts';

const page = `
  SELECT ${selectList(tables.decisions)}, (SELECT id FROM items WHERE key = decisions.item) AS id
  FROM decisions WHERE number > @number ORDER BY number LIMIT ${pageRows}`;

export function decisionsIn({ rows }: StoreDatabase): Pick<Decisions, 'all'> {
  return {
    all: () =>
      inPages<{ readonly number: number }, NotedDecision>({ number: 0 }, pageRows, ({ number }) =>
        rows<NotedDecision>(page, { number }),
      ),
  };
}
