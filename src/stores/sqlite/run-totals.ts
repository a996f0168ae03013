/** Totals of a run that the database computes itself: why rows ended badly, and what is pending. */

import { type FailureGroups, failureKind, listedKinds, listGroups } from '../../money/failure-groups.ts';
import { qualities, type Status } from '../../money/item.ts';
import { sqlList } from '../../money/statuses.ts';
import { createLedger, type Ledger, noteLargest } from '../../money/summary.ts';
import type { Prices, RunTotals } from '../port/reading.ts';
import { isRetriable, totalsIn } from '../run-totals.ts';
import { prepareTotals } from './checkpoint-statements.ts';
import { type Database, guard } from './database.ts';
import { dialect, sqliteDatabase } from './dialect.ts';

export function sqliteTotals(db: Database, prices: RunTotals['prices']): RunTotals {
  return {
    ...totalsIn(sqliteDatabase(db)),
    prices,
    failureGroups: async () => guard(db.name, () => readFailureGroups(db)),
  };
}

/** Totals over all rows and attempts, as of this number of changes. */
interface Counted {
  readonly ledger: Ledger;
  readonly prices: Prices;
  readonly changes: number;
}

/** Totals that are kept until something changes: a start needs them three times, and a million rows take a tenth of a second. */
export class LedgerTotals {
  readonly #db: Database;
  readonly #statements;
  #known: Counted | null = null;

  constructor(db: Database) {
    this.#db = db;
    this.#statements = prepareTotals(db);
  }

  now(): Counted {
    // `changes` counts only this connection's writes: enough for the holder of the folder, useless for a reader.
    const changes = this.#db.readonly ? Number.NaN : (this.#statements.changes.get()?.n ?? Number.NaN);
    if (this.#known === null || this.#known.changes !== changes)
      this.#known = { ...this.#countUp(), changes };
    return this.#known;
  }

  #countUp(): Omit<Counted, 'changes'> {
    const ledger = createLedger();
    for (const { status, count } of this.#statements.counts.all()) ledger.counts[status] = count;
    for (const { status, count } of this.#statements.uncounted.all()) ledger.counts[status] -= count;
    for (const { quality, value, unpriced } of this.#statements.reserving.all()) {
      ledger.reserving.set(quality, value);
      ledger.unpriced += unpriced;
    }
    ledger.held = this.#statements.held.get()?.n ?? 0;
    const totals = this.#statements.totals.get();
    for (const quality of qualities) noteLargest(ledger, quality, totals?.[quality] ?? 0);
    ledger.spent = totals?.spent ?? 0;
    ledger.longestTaskMs = totals?.longestTaskMs ?? null;
    return { ledger, prices: { charged: totals?.charged ?? 0, perVideo: totals?.perVideo ?? null } };
  }
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
