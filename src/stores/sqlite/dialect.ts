/** SQLite's words in the statements of both stores, and how they are asked. */

import { sqlList } from '../../money/statuses.ts';
import type { NamedValues, StoreDatabase, StoreDialect } from '../dialect.ts';
import { type Database, guard } from './database.ts';

const isIn: StoreDialect['isIn'] = (value, list) => `${value} IN (SELECT value FROM json_each(@${list}))`;

export const dialect: StoreDialect = {
  isIn,
  isAmong: (value, list, type) => `(@${list} IS NULL OR ${isIn(value, list, type)})`,
  isShown: `(gone = 0 OR ((attempt > 0 OR status = 'completed') AND (status NOT IN ${sqlList('taskless')}
    OR EXISTS (SELECT 1 FROM attempts WHERE item = items.key AND attempts.task_id IS NOT NULL))))`,
  questionColumn: `s.source ->> '$.fields.question'`,
  textLength: (input, column) => `CASE WHEN json_valid(${input})
    THEN coalesce((SELECT length(e.value) FROM json_each(${input}) e WHERE e.key = ${column}), 0) ELSE 0 END`,
};

export function sqliteDatabase(db: Database): StoreDatabase {
  return {
    dialect,
    rows: async <T extends object>(statement: string, parameters: NamedValues = {}) =>
      guard(db.name, () => db.prepare<object, T>(statement).all(bound(parameters))),
  };
}

/** Lists go as JSON. */
export function bound(parameters: NamedValues): NamedValues {
  return Object.fromEntries(
    Object.entries(parameters).map(([name, value]) => [
      name,
      Array.isArray(value) ? JSON.stringify(value) : value,
    ]),
  );
}
