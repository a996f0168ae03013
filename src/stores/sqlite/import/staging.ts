/** The checkpoint's database as the import asks it (`stores/import/`). */

import type { Dialect, Parameters, Staging } from '../../import/staging.ts';
import { type Database, guard } from '../database.ts';
import {
  itemQuestion,
  pendingLengths,
  questionText,
  readTexts,
  sumLengths,
  textLength,
} from '../run-totals.ts';

export const dialect: Dialect = {
  inputs: 'incoming',
  // SQLite reads each list once.
  isNotInFile: `m.key NOT IN (SELECT item FROM incoming WHERE item IS NOT NULL)
    AND m.key NOT IN (SELECT item FROM unchanged)`,
  isAmong: (value, list) => `(@${list} IS NULL OR ${value} IN (SELECT value FROM json_each(@${list})))`,
  questionText,
  itemQuestion,
  readTexts,
  textLength,
  pendingLengths,
  sumLengths,
};

export function sqliteStaging(db: Database): Staging {
  const ask = async <T>(work: () => T): Promise<T> => guard(db.name, work);
  return {
    dialect,
    rows: <T extends object>(statement: string, parameters: Parameters = {}) =>
      ask(() => db.prepare<object, T>(statement).all(bound(parameters))),
    run: (statement, parameters = {}) =>
      ask(() => db.prepare<object>(statement).run(bound(parameters)).changes),
  };
}

/** Lists go as JSON. */
function bound(parameters: Parameters): Parameters {
  return Object.fromEntries(
    Object.entries(parameters).map(([name, value]) => [
      name,
      Array.isArray(value) ? JSON.stringify(value) : value,
    ]),
  );
}
