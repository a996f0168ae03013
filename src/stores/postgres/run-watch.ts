/** Follows a run that other processes write. */

import { type Item, type Status, statuses } from '../../money/item.ts';
import { sqlList } from '../../money/statuses.ts';
import type { RowMark, RunWatch, StatusSum } from '../port/reading.ts';
import type { Store } from '../port/store.ts';
import { type ItemRow, itemColumns } from '../tables.ts';
import type { Connections } from './connection/connections.ts';
import { runRemoved } from './connection/server-errors.ts';
import { withArtifacts } from './item-rows.ts';
import type { PostgresCheckpoint } from './postgres-checkpoint.ts';
import { readRun } from './run-row.ts';
import { isAnyHeard } from './workers.ts';

/** Marks read at a time: they are short, and other work can run between two pages. */
const pageMarks = 10_000;

const markColumns = 'key, row, gone, status, attempt';

/**
 * The rule of `reportLine`: a sum of nothing is 0 only where nothing can have been charged.
 */
const unpricedRows = `
  SELECT count(*) AS unpriced FROM items
  WHERE (status = 'uncertain' OR (points IS NULL AND status NOT IN ${sqlList('free')})
      OR key IN (SELECT item FROM attempts WHERE status = 'lost' AND points IS NULL))
    AND shown AND (SELECT coalesce(sum(points), 0) FROM attempts WHERE item = items.key) = 0`;

/** Watches the run; closes nothing. */
export async function openRunWatch(
  connections: Connections,
  {
    checkpoint,
    settings,
    reviews,
  }: Pick<Store, 'settings' | 'reviews'> & {
    readonly checkpoint: PostgresCheckpoint;
  },
): Promise<RunWatch> {
  const opened = await stateOf(connections);
  return {
    async version() {
      const now = await stateOf(connections);
      if (now.id !== opened.id) throw runRemoved(connections.name);
      return now.change;
    },
    isHeld: () => isAnyHeard(connections),
    inputVersion: async () => (await readRun(connections)).inputVersion,
    reviewVersion: async () => Number((await settings.get('review-version')) ?? 0),
    reviews,
    async sums() {
      const found = await connections.rows<StatusSum & Record<string, unknown>>(
        'SELECT status, count, shown, rows::float8 AS rows, gone, attempts FROM sums WHERE count > 0',
      );
      const sums = new Map(found.map((sum) => [sum.status, sum]));
      return statuses.flatMap((status) => sums.get(status) ?? []);
    },
    async prices() {
      const found = await connections.row<{ unpriced: number }>(unpricedRows, [], { isLong: true });
      const { spent, videos, videoPoints } = await readRun(connections);
      return { points: spent, unpriced: found?.unpriced ?? 0, pricedVideos: videos, videoPoints };
    },
    async *marks() {
      for (const status of statuses) yield* marksIn(connections, status);
    },
    marksOf: (keys) =>
      connections.rows<RowMark & Record<string, unknown>>(
        `SELECT ${markColumns} FROM items WHERE key = ANY ($1)`,
        [keys],
      ),
    items: (wanted) => checkpoint.items(wanted),
    reportRows: () => checkpoint.reportRows(),
    reportRowsOf: (keys) => checkpoint.reportRowsOf(keys),
    async itemInFolder(folder): Promise<Item | null> {
      const text = `SELECT ${itemColumns} FROM items WHERE lower(folder) = lower($1) AND folder = $1`;
      const rows = await connections.rows<ItemRow>(text, [folder]);
      return (await withArtifacts(connections, rows))[0] ?? null;
    },
  };
}

interface RunState {
  readonly id: string;
  readonly change: number;
}

async function stateOf(connections: Connections): Promise<RunState> {
  const row = await connections.row<{ id: string; change: number }>('SELECT id, change FROM run');
  if (row === undefined) throw runRemoved(connections.name);
  return row;
}

async function* marksIn(connections: Connections, status: Status): AsyncIterable<readonly RowMark[]> {
  const text = `SELECT ${markColumns} FROM items WHERE status = $1 AND (row, key) > ($2, $3)
    ORDER BY row, key LIMIT ${pageMarks}`;
  let last = { row: -1, key: -1 };
  while (true) {
    const page = await connections.rows<RowMark & Record<string, unknown>>(text, [
      status,
      last.row,
      last.key,
    ]);
    yield page;
    const end = page.at(-1);
    if (end === undefined || page.length < pageMarks) return;
    last = end;
  }
}
