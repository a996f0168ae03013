/** The calls of the command of `--on-row`, saved in the database. */

import { againSql, hookCallsIn } from '../hook-calls.ts';
import type { HookCalls } from '../port/hooks.ts';
import { hooksSetting, type Settings } from '../port/settings.ts';
import type { Connections } from './connection/connections.ts';
import { postgresDatabase } from './dialect.ts';

/** `sound` rejects when the run is damaged. */
export function postgresHookCalls(
  connections: Connections,
  settings: Settings,
  sound: () => Promise<void>,
): HookCalls {
  return {
    begin: () => settings.save(hooksSetting, 'on'),
    ...hookCallsIn(postgresDatabase(connections), sound),
    async again() {
      await connections.rows(againSql, []);
    },
    async ended({ key, attempt, tries }, at, failure) {
      // Repeated where its answer was lost: it saves the same then.
      await connections.rows(
        'UPDATE hook_calls SET state = $3, tries = $4, ended_at = $5, failure = $6 WHERE item = $1 AND attempt = $2',
        [key, attempt, failure === null ? 'done' : 'failed', tries + 1, at, failure],
      );
    },
  };
}
