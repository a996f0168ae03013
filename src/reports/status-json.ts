/** What `batch status --json` prints. */

import type { Status } from '../money/item.ts';
import { countRows, type Ledger, reservedPoints, roundPoints } from '../money/summary.ts';

/** The state of a run. Every status is a key; `reserved` is null where no price is known yet. */
export interface StatusJson {
  readonly rows: number;
  readonly statuses: Readonly<Record<Status, number>>;
  readonly points: { readonly spent: number; readonly reserved: number | null };
  readonly out: string;
}

export function renderStatusJson(ledger: Ledger, out: string): StatusJson {
  return {
    rows: countRows(ledger),
    statuses: { ...ledger.counts },
    points: { spent: roundPoints(ledger.spent), reserved: reservedPoints(ledger) },
    out,
  };
}
