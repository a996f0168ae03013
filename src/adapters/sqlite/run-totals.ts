/** Totals of a run that the database computes itself: why rows ended badly, and what is pending. */

import { noRows, type QualityCounts } from '../../core/estimate.ts';
import { type FailureGroups, failureKind } from '../../core/failure-groups.ts';
import { type Quality, qualities, type Status } from '../../core/item.ts';
import { badStatuses } from '../../core/summary.ts';
import type { GoneCounts } from '../../store.ts';
import { isNamed, isVisible } from './checkpoint-statements.ts';
import type { Database } from './database.ts';

/** Listed kinds of failure: more than anyone reads, few enough to hold in memory. */
const listedKinds = 1_000;

const bad = [...badStatuses].map((status) => `'${status}'`).join(', ');

/** Failures by status and kind, the most frequent first. SQLite groups them, on disk if a million texts need it. */
export function readFailureGroups(db: Database): FailureGroups {
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
         count(*) FILTER (WHERE gone = 0) AS inFile, min(id) AS someId,
         min(coalesce(failure, '')) AS least, max(coalesce(failure, '')) AS most
       FROM items WHERE status IN (${bad}) AND ${isVisible}
       GROUP BY 1, 2 ORDER BY count DESC, status, kind LIMIT ${listedKinds + 1}`,
    )
    .all();
  const groups = found
    .slice(0, listedKinds)
    .map(({ least, most, ...group }) => ({ ...group, failure: least === most ? least : null }));
  return { groups, areAll: found.length <= listedKinds };
}

/** Bad rows in the totals that are no longer in the file. */
export function readGoneCounts(db: Database): GoneCounts {
  const found = db
    .prepare<[], { status: Status; count: number }>(
      `SELECT status, count(*) AS count FROM items WHERE status IN (${bad}) AND gone = 1 AND ${isVisible} GROUP BY status`,
    )
    .all();
  return Object.fromEntries(found.map(({ status, count }) => [status, count]));
}

/** Pending rows by their own quality; `only` names ids. */
export function readPendingQualities(db: Database, only: readonly string[] | null): QualityCounts {
  const ofQuality = (quality: Quality): string =>
    `count(*) FILTER (WHERE quality = '${quality}') AS ${quality}`;
  const found = db
    .prepare<{ only: string | null }, QualityCounts>(
      `SELECT ${qualities.map(ofQuality).join(', ')}, count(*) FILTER (WHERE quality IS NULL) AS none FROM items
       WHERE status = 'pending' AND gone = 0 AND ${isNamed}`,
    )
    .get({ only: only === null ? null : JSON.stringify(only) });
  return found ?? noRows;
}
