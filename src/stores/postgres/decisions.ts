/** What people decided about money, saved in the database. */

import { randomUUID } from 'node:crypto';
import { decisionsIn } from '../decisions.ts';
import type { Decision, Decisions } from '../port/decisions.ts';
import { tablesSince } from '../tables.ts';
import { type Call, columnsOf, json } from './commit-call.ts';
import type { Connections } from './connection/connections.ts';
import { postgresDatabase } from './dialect.ts';

/** `sound` rejects when the run is damaged; `schema` is the version of the run's schema: one of an earlier version is only looked at. */
export function postgresDecisions(
  connections: Connections,
  sound: () => Promise<void>,
  schema: number,
): Decisions {
  const { all } = decisionsIn(postgresDatabase(connections));
  return {
    async *all() {
      if (schema >= tablesSince.decisions) yield* all();
    },
    async note(decisions) {
      await sound();
      if (decisions.length === 0) return;
      await connections.rows('SELECT save_decisions($1, $2)', callOf(decisions));
    },
  };
}

/** What names the call, so that it is not repeated, and what it saves. */
function callOf(decisions: readonly Decision[]): readonly [string, string] {
  return [randomUUID(), json(decisions.map(columnsOf))];
}

/** The call of a function, and decisions saved with it: the text is a list of what is selected. */
export function withDecisions({ text, values }: Call, decisions: readonly Decision[] = []): Call {
  if (decisions.length === 0) return { text, values };
  const next = values.length + 1;
  return {
    text: `${text}, save_decisions($${next}, $${next + 1})`,
    values: [...values, ...callOf(decisions)],
  };
}

/** The same for a call whose column `saved` says whether anything was changed. */
export function withDecisionsIfSaved({ text, values }: Call, decisions: readonly Decision[]): Call {
  if (decisions.length === 0) return { text, values };
  const next = values.length + 1;
  return {
    text: `WITH done AS MATERIALIZED (${text})
      SELECT saved, CASE WHEN saved THEN save_decisions($${next}, $${next + 1}) END FROM done`,
    values: [...values, ...callOf(decisions)],
  };
}
