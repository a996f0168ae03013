/** Checks that a run still is what was written, as far as that is quick. */

import { CheckpointError } from '../../errors.ts';
import { message } from '../../messages/message.ts';
import type { DamageId } from '../../messages/reasons/damage.ts';
import { sqlList } from '../../money/statuses.ts';
import type { Connections } from './connection/connections.ts';

/** Queries that find nothing in a sound run, with what is wrong where they find something. */
const contradictions: readonly (readonly [sql: string, what: DamageId])[] = [
  [
    `SELECT status AS name FROM sums WHERE count < 0 OR shown < 0 OR gone < 0 OR attempts < 0 OR shown > count LIMIT 1`,
    'damage.counts',
  ],
  [
    `SELECT 'run' AS name FROM run WHERE spent < 0 OR least(charged, videos, reserving_h, reserving_m, reserving_l, unpriced) < 0`,
    'damage.counts',
  ],
  [
    // Only rows on their way: they are few, and money depends on them.
    `SELECT i.id AS name FROM items i LEFT JOIN attempts a ON a.item = i.key AND a.attempt = i.attempt
     WHERE i.status IN ${sqlList('followed')} AND i.token IS NOT NULL
       AND (a.token, a.status, a.task_id, a.points) IS DISTINCT FROM (i.token, i.status, i.task_id, i.points)
     LIMIT 1`,
    'damage.differs',
  ],
  [
    `SELECT i.id AS name FROM items i WHERE i.status IN ${sqlList('followed')}
       AND NOT EXISTS (SELECT 1 FROM questions q WHERE q.item = i.key) LIMIT 1`,
    'damage.no-question',
  ],
];

/** The first of them, in one turn of the line. */
const firstContradiction = `${contradictions
  .map(([sql, what]) => `(SELECT '${what}' AS what, name FROM (${sql}) AS found)`)
  .join(' UNION ALL ')} LIMIT 1`;

/** Rejects with `CheckpointError`. */
export async function checkSound(connections: Connections): Promise<void> {
  const { name, schema } = connections;
  const found = await connections.row<{ what: DamageId; name: string }>(firstContradiction, [], {
    isLong: true,
  });
  if (found !== undefined)
    throw new CheckpointError(
      message('store.unsound', { schema, name, row: found.name, detail: message(found.what) }),
    );
}
