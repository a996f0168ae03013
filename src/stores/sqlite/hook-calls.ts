/** The calls of the command of `--on-row`, saved in the checkpoint. */

import { againSql, hookCallsIn } from '../hook-calls.ts';
import type { HookCalls } from '../port/hooks.ts';
import { hooksSetting } from '../port/settings.ts';
import { type Database, guard } from './database.ts';
import { sqliteDatabase } from './dialect.ts';
import type { SqliteCheckpoint } from './sqlite-checkpoint.ts';
import type { SqliteSettings } from './sqlite-settings.ts';

export function sqliteHookCalls(
  db: Database,
  settings: SqliteSettings,
  checkpoint: Pick<SqliteCheckpoint, 'sound'>,
): HookCalls {
  return {
    begin: () => settings.save(hooksSetting, 'on'),
    ...hookCallsIn(sqliteDatabase(db), () => checkpoint.sound),
    async again() {
      await checkpoint.sound;
      guard(db.name, () => db.prepare(againSql).run());
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
