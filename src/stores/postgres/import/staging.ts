/** The connection of an import as the import asks it (`stores/import/`). */

import type { Dialect, Staging } from '../../import/staging.ts';
import { numbered, postgresDatabase, dialect as words } from '../dialect.ts';
import type { IngestSession } from './ingest-session.ts';

/** Everything the import changes gets this number, with which the transaction began. */
export const change = 'change = (SELECT change FROM run)';

export const dialect: Dialect = {
  ...words,
  inputs: 'staged_inputs',
  // By joins: PostgreSQL answers a large `NOT IN` row by row.
  isNotInFile: `NOT EXISTS (SELECT 1 FROM incoming o WHERE o.item = m.key)
    AND NOT EXISTS (SELECT 1 FROM unchanged u WHERE u.item = m.key)`,
  change: `, ${change}`,
};

export function postgresStaging(session: IngestSession): Staging {
  return {
    ...postgresDatabase(session.asker),
    dialect,
    run: (statement, parameters = {}) => {
      const { text, values } = numbered(statement, parameters);
      return session.run(text, ...values);
    },
  };
}
