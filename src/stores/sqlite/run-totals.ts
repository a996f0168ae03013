/** Totals of a run that the database computes itself: why rows ended badly, and what is pending. */

import { type FailureGroups, failureKind, listedKinds, listGroups } from '../../money/failure-groups.ts';
import type { Status } from '../../money/item.ts';
import { sqlList } from '../../money/statuses.ts';
import type { RunTotals } from '../port/reading.ts';
import { isRetriable, totalsIn } from '../run-totals.ts';
import { type Database, guard } from './database.ts';
import { dialect, sqliteDatabase } from './dialect.ts';
import type { SqliteCheckpoint } from './sqlite-checkpoint.ts';

export function sqliteTotals(db: Database, checkpoint: SqliteCheckpoint): RunTotals {
  return {
    ...totalsIn(sqliteDatabase(db)),
    prices: () => checkpoint.prices(),
    failureGroups: async () => guard(db.name, () => readFailureGroups(db)),
  };
}

/** Failures by status and kind, the most frequent first. SQLite groups them, on disk if a million texts need it. */
function readFailureGroups(db: Database): FailureGroups {
  db.function('failure_kind', (failure, id, task) =>
    failureKind(String(failure ?? ''), [String(task ?? ''), String(id)]),
  );
  type Row = {
    status: Status;
    kind: string;
    count: number;
    inFile: number;
    someId: string;
    least: string;
    most: string;
  };
  const found = db
    .prepare<[], Row>(
      `SELECT status, failure_kind(failure, id, task_id) AS kind, count(*) AS count,
         count(*) FILTER (WHERE ${isRetriable}) AS inFile, min(id) AS someId,
         min(coalesce(failure, '')) AS least, max(coalesce(failure, '')) AS most
       FROM items WHERE status IN ${sqlList('bad')} AND ${dialect.isShown}
       GROUP BY 1, 2 ORDER BY count DESC, status, kind LIMIT ${listedKinds + 1}`,
    )
    .all();
  return listGroups(
    found.map(({ least, most, ...group }) => ({ ...group, failure: least === most ? least : null })),
  );
}
