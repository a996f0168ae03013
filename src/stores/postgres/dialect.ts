/** PostgreSQL's words in the statements of both stores, and how they are asked. */

import type { NamedValues, StoreDatabase, StoreDialect } from '../dialect.ts';
import type { Asked, Asker } from './connection/connections.ts';

const isIn: StoreDialect['isIn'] = (value, list, type) => `${value} = ANY (CAST(@${list} AS ${type}[]))`;

/** JSON may spell characters that a text of the server cannot contain: it would refuse every query of the row. */
const hasOddText = (input: string): string => `${input} ~ '\\\\u(0000|d[89a-f])'`;

export const dialect: StoreDialect = {
  isIn,
  isAmong: (value, list, type) => `(CAST(@${list} AS ${type}[]) IS NULL OR ${isIn(value, list, type)})`,
  isShown: 'shown',
  questionColumn: `(CASE WHEN NOT ${hasOddText('s.source')} THEN s.source::json -> 'fields' ->> 'question' END)`,
  textLength: (input, column) => `CASE WHEN ${hasOddText(input)} THEN 0
    ELSE coalesce(length(${input}::json ->> ${column}), 0) END`,
};

/** `asked` goes with each statement. */
export function postgresDatabase(asker: Asker, asked: Asked = {}): StoreDatabase {
  return {
    dialect,
    rows: <T extends object>(statement: string, parameters: NamedValues = {}) => {
      const { text, values } = numbered(statement, parameters);
      return asker.rows<T & Record<string, unknown>>(text, values, asked);
    },
  };
}

/** The server knows parameters by numbers. */
function numbered(statement: string, parameters: NamedValues) {
  const names: string[] = [];
  const text = statement.replace(/@(\w+)/g, (_, name: string) => {
    if (!names.includes(name)) names.push(name);
    return `$${names.indexOf(name) + 1}`;
  });
  return { text, values: names.map((name) => parameters[name]) };
}
