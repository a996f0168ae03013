/** What people decided about money, saved in the checkpoint. */

import { decisionsIn } from '../../decisions.ts';
import type { Decision, Decisions } from '../../port/decisions.ts';
import { columnList, tables } from '../../tables.ts';
import type { Database } from '../database.ts';
import { sqliteDatabase } from '../dialect.ts';
import { changeHere } from '../move-mark.ts';

/** `checkpoint` is over the same `db`; nothing is saved before it is known to be `sound`. */
export function sqliteDecisions(db: Database, checkpoint: { readonly sound: Promise<void> }): Decisions {
  return {
    ...decisionsIn(sqliteDatabase(db)),
    async note(decisions) {
      await checkpoint.sound;
      changeHere(db, () => writeDecisions(db, decisions));
    },
  };
}

const fields = tables.decisions.filter((field) => field !== 'number');
const insert = `INSERT INTO decisions (${columnList(fields)}) VALUES (${fields.map((field) => `@${field}`).join(', ')})`;

/** Counts them by itself, in the transaction of the caller. */
export function writeDecisions(db: Database, decisions: readonly Decision[]): void {
  if (decisions.length === 0) return;
  const write = db.prepare<object>(insert);
  for (const decision of decisions) write.run(decision);
}
