import { noRows } from '../../src/money/forecast/estimate.ts';
import type { Plan } from '../../src/money/plan.ts';
import { createLedger } from '../../src/money/summary.ts';

const counts = createLedger().counts;

/** What an import without any rows changes. */
export const noChanges: Omit<Plan, 'unsendable' | 'shares' | 'kept' | 'now'> = {
  rows: 0,
  newRows: 0,
  known: counts,
  changedUnsent: 0,
  changedSent: 0,
  changedSentIds: [],
  rerunnable: 0,
  rerunnableIds: [],
  keepingIds: [],
  goneIds: [],
  endedFinals: [],
  renumbered: 0,
  renumberedIds: [],
  gone: 0,
  invalid: 0,
  twins: 0,
  repictured: 0,
  askedBefore: 0,
  toSubmit: 0,
  isForeign: false,
};

/** The plan of a run without any rows. */
export const emptyPlan: Plan = {
  ...noChanges,
  unsendable: 0,
  shares: { newRows: 0, waiting: 0, changed: 0, rerun: 0 },
  kept: counts,
  now: noRows,
};
