/** The checkpoint's database as the import asks it (`stores/import/`). */

import { type Database, guard } from '../database.ts';
import { bound, sqliteDatabase, dialect as words } from '../dialect.ts';
import type { Dialect, Staging } from './staging-words.ts';

export const dialect: Dialect = {
  ...words,
  inputs: 'incoming',
  // SQLite reads each list once.
  isNotInFile: `m.key NOT IN (SELECT item FROM incoming WHERE item IS NOT NULL)
    AND m.key NOT IN (SELECT item FROM unchanged)`,
  change: '',
};

export function sqliteStaging(db: Database): Staging {
  return {
    ...sqliteDatabase(db),
    dialect,
    run: async (statement, parameters = {}) =>
      guard(db.name, () => db.prepare<object>(statement).run(bound(parameters)).changes),
  };
}
