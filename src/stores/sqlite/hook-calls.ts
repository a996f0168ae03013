/** The calls of the command of `--on-row`, saved in the checkpoint. */

import type { HookCall, HookCalls, HookCounts } from '../port/hooks.ts';
import { hooksSetting } from '../port/settings.ts';
import { type Database, guard } from './database.ts';
import type { SqliteCheckpoint } from './sqlite-checkpoint.ts';
import type { SqliteSettings } from './sqlite-settings.ts';

/** A row that has a newer attempt, or whose files are missing, is called for when it is completed again. */
const current = `hook_calls AS h JOIN items AS i ON i.key = h.item AND i.attempt = h.attempt AND i.status = 'completed'`;

export function sqliteHookCalls(
  db: Database,
  settings: SqliteSettings,
  checkpoint: Pick<SqliteCheckpoint, 'sound'>,
): HookCalls {
  return {
    begin: () => settings.save(hooksSetting, 'on'),
    async left({ states, after, limit, slices }) {
      await checkpoint.sound;
      return guard(db.name, () =>
        db
          .prepare<object, HookCall>(
            `SELECT h.item AS key, i.id, h.attempt, h.state, h.tries, h.failure FROM ${current}
             WHERE h.state <> 'done' AND h.state IN (SELECT value FROM json_each(@states)) AND h.item > @after
               AND (@slices IS NULL OR h.item % 64 IN (SELECT value FROM json_each(@slices)))
             ORDER BY h.item LIMIT @limit`,
          )
          .all({
            states: JSON.stringify(states),
            after,
            limit,
            slices: slices === null ? null : JSON.stringify(slices),
          }),
      );
    },
    async counts() {
      const found = guard(db.name, () =>
        db
          .prepare<[], { state: keyof HookCounts; n: number }>(
            `SELECT h.state, count(*) AS n FROM ${current} GROUP BY h.state`,
          )
          .all(),
      );
      const count = (state: keyof HookCounts): number => found.find((one) => one.state === state)?.n ?? 0;
      return { owed: count('owed'), failed: count('failed'), done: count('done') };
    },
    async ended({ key, attempt, tries }, at, failure) {
      await checkpoint.sound;
      const state = failure === null ? 'done' : 'failed';
      guard(db.name, () =>
        db
          .prepare<object>(
            `UPDATE hook_calls SET state = @state, tries = @tries, ended_at = @at, failure = @failure
             WHERE item = @key AND attempt = @attempt`,
          )
          .run({ key, attempt, state, tries: tries + 1, at, failure }),
      );
    },
  };
}
