/** The indexes of the items while many rows come: made when all are there, in half the time for a million. */

import type { Database } from '../database.ts';

interface Index {
  readonly name: string;
  readonly sql: string;
}

const ofItems = `
  SELECT name, sql FROM sqlite_schema WHERE type = 'index' AND tbl_name = 'items' AND sql IS NOT NULL`;

/** Drops them, in a transaction of the caller. Returns the statements that make them again. */
export function dropItemIndexes(db: Database): string {
  const dropped = db.prepare<[], Index>(ofItems).all();
  for (const { name } of dropped) db.exec(`DROP INDEX ${name}`);
  return dropped.map(({ sql }) => sql).join(';');
}
