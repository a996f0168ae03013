/** The calls of the command of `--on-row`, saved in the database. */

import type { HookCall, HookCalls, HookCounts } from '../port/hooks.ts';
import { hooksSetting, type Settings } from '../port/settings.ts';
import { storable } from './commit-call.ts';
import type { Connections } from './connection/connections.ts';

/** A row that has a newer attempt, or whose files are missing, is called for when it is completed again. */
const current = `hook_calls h JOIN items i ON i.key = h.item AND i.attempt = h.attempt AND i.status = 'completed'`;

/** `sound` rejects when the run is damaged. */
export function postgresHookCalls(
  connections: Connections,
  settings: Settings,
  sound: () => Promise<void>,
): HookCalls {
  return {
    begin: () => settings.save(hooksSetting, 'on'),
    async left({ states, after, limit, slices }) {
      await sound();
      return connections.rows<HookCall>(
        `SELECT h.item AS key, i.id, h.attempt, h.state, h.tries, h.failure FROM ${current}
         WHERE h.state <> 'done' AND h.state = ANY ($1) AND h.item > $2 AND ($4::bigint[] IS NULL OR h.item % 64 = ANY ($4))
         ORDER BY h.item LIMIT $3`,
        [states, after, limit, slices],
      );
    },
    async counts() {
      const found = await connections.rows<{ state: keyof HookCounts; n: number }>(
        `SELECT h.state, count(*) AS n FROM ${current} GROUP BY h.state`,
      );
      const count = (state: keyof HookCounts): number => found.find((one) => one.state === state)?.n ?? 0;
      return { owed: count('owed'), failed: count('failed'), done: count('done') };
    },
    async ended({ key, attempt, tries }, at, failure) {
      // Repeated where its answer was lost: it saves the same then.
      await connections.rows(
        'UPDATE hook_calls SET state = $3, tries = $4, ended_at = $5, failure = $6 WHERE item = $1 AND attempt = $2',
        [key, attempt, failure === null ? 'done' : 'failed', tries + 1, at, failure && storable(failure)],
      );
    },
  };
}
