/** Follows a run that other processes write. */

import type { Item } from '../../money/item.ts';
import type { RunWatch, StatusSum } from '../port/reading.ts';
import { isUnpriced, sortSums, type Watched, watchIn } from '../run-watch.ts';
import { type ItemRow, itemColumns } from '../tables.ts';
import type { Connections } from './connection/connections.ts';
import { runRemoved } from './connection/server-errors.ts';
import { dialect, postgresDatabase } from './dialect.ts';
import { withArtifacts } from './item-rows.ts';
import { readRun } from './run-row.ts';
import { isAnyAlive } from './workers.ts';

/** Watches the run; closes nothing. */
export async function openRunWatch(connections: Connections, watched: Watched): Promise<RunWatch> {
  const opened = await stateOf(connections);
  return {
    async version() {
      const now = await stateOf(connections);
      if (now.id !== opened.id) throw runRemoved(connections.name);
      return now.change;
    },
    isInUse: () => isAnyAlive(connections),
    inputVersion: async () => (await readRun(connections)).inputVersion,
    ...watchIn(postgresDatabase(connections), watched),
    async sums() {
      const found = await connections.rows<StatusSum & Record<string, unknown>>(
        'SELECT status, count, shown, rows::float8 AS rows, gone, attempts FROM sums WHERE count > 0',
      );
      return sortSums(found);
    },
    async prices() {
      const text = `SELECT count(*) AS unpriced FROM items WHERE ${isUnpriced(dialect)}`;
      const found = await connections.row<{ unpriced: number }>(text, [], { isLong: true });
      const { spent, videos, videoPoints } = await readRun(connections);
      return { points: spent, unpriced: found?.unpriced ?? 0, pricedVideos: videos, videoPoints };
    },
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
