/** The calls of the command of `--on-row`, as both stores read them. */

import { sliceOf } from './core-words.ts';
import type { StoreDatabase } from './dialect.ts';
import type { HookCall, HookCalls, HookCounts } from './port/hooks.ts';

/** A row that has a newer attempt, or whose files are missing, is called for when it is completed again. */
const current = `hook_calls AS h JOIN items AS i ON i.key = h.item AND i.attempt = h.attempt AND i.status = 'completed'`;

/** Calls for an earlier attempt stay as they ended. */
export const againSql = `UPDATE hook_calls SET state = 'owed' WHERE state = 'failed'`;

/** `sound` rejects when the run is damaged. */
export function hookCallsIn(
  { dialect, rows }: StoreDatabase,
  sound: () => Promise<void>,
): Pick<HookCalls, 'left' | 'counts'> {
  const left = `
    SELECT h.item AS key, i.id, h.attempt, h.state, h.tries, h.failure FROM ${current}
    WHERE h.state <> 'done' AND ${dialect.isIn('h.state', 'states', 'text')} AND h.item > @after
      AND ${dialect.isAmong(sliceOf('h.item'), 'slices', 'int8')}
    ORDER BY h.item LIMIT @limit`;
  return {
    async left(query) {
      await sound();
      return rows<HookCall>(left, { ...query });
    },
    async counts() {
      const found = await rows<{ state: keyof HookCounts; n: number }>(
        `SELECT h.state, count(*) AS n FROM ${current} GROUP BY h.state`,
      );
      return { owed: 0, failed: 0, done: 0, ...Object.fromEntries(found.map(({ state, n }) => [state, n])) };
    },
  };
}
