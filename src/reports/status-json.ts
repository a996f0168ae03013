/** The state of a run in numbers, for programs. */

import { countRows, type Ledger, reservedPoints, roundPoints } from '../money/summary.ts';
import type { RunState } from '../schemas/run-state.ts';

export function renderStatusJson(ledger: Ledger, out: string): RunState {
  return {
    rows: countRows(ledger),
    statuses: { ...ledger.counts },
    points: { spent: roundPoints(ledger.spent), reserved: reservedPoints(ledger) },
    out,
  };
}
