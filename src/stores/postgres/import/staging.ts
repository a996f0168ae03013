/** The connection of an import as the import asks it (`stores/import/`). */

import type { Dialect, Parameters, Staging } from '../../import/staging.ts';
import {
  itemQuestion,
  pendingLengths,
  questionText,
  readTexts,
  sumLengths,
  textLength,
} from '../run-totals.ts';
import type { IngestSession } from './ingest-session.ts';

export const dialect: Dialect = {
  inputs: 'staged_inputs',
  // By joins: PostgreSQL answers a large `NOT IN` row by row.
  isNotInFile: `NOT EXISTS (SELECT 1 FROM incoming o WHERE o.item = m.key)
    AND NOT EXISTS (SELECT 1 FROM unchanged u WHERE u.item = m.key)`,
  isAmong: (value, list, type) =>
    `(CAST(@${list} AS ${type}[]) IS NULL OR ${value} = ANY (CAST(@${list} AS ${type}[])))`,
  questionText,
  itemQuestion,
  readTexts,
  textLength,
  pendingLengths,
  sumLengths,
};

export function postgresStaging(session: IngestSession): Staging {
  return {
    dialect,
    rows: <T extends object>(statement: string, parameters: Parameters = {}) => {
      const { text, values } = numbered(statement, parameters);
      return session.rows<T & Record<string, unknown>>(text, ...values);
    },
    run: (statement, parameters = {}) => {
      const { text, values } = numbered(statement, parameters);
      return session.run(text, ...values);
    },
  };
}

/** The server knows parameters by numbers. */
function numbered(statement: string, parameters: Parameters) {
  const names: string[] = [];
  const text = statement.replace(/@(\w+)/g, (_, name: string) => {
    if (!names.includes(name)) names.push(name);
    return `$${names.indexOf(name) + 1}`;
  });
  return { text, values: names.map((name) => parameters[name]) };
}
