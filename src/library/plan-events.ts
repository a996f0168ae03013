/** The first event of a run: what is known before anything is sent. */

import type { Options } from '../app/options/options.ts';
import type { ImportPlan } from '../features/import/import-file.ts';
import { inEnglish } from '../messages/message.ts';
import { estimatePoints } from '../money/forecast/estimate.ts';
import { countRows, type Ledger, roundPoints } from '../money/summary.ts';
import type { PlanEvent } from './events.ts';

/** The plan of a file that is about to be imported. */
export function planOfFile(path: string, { staged, ledger, options }: ImportPlan): PlanEvent {
  const { found, plan } = staged;
  const { format, encoding, notes } = found;
  const { quality = null, limit = null } = options;
  const { rows, points } = estimatePoints(plan.now, ledger, { quality, limit });
  return {
    type: 'plan',
    file: {
      path,
      format,
      encoding,
      notes: notes.map(inEnglish),
      newRows: plan.newRows,
      invalidRows: plan.invalid,
      changedRows: plan.changedUnsent + plan.changedSent,
      goneRows: plan.gone,
    },
    rows: plan.rows,
    known: plan.known,
    toSubmit: rows,
    estimatedPoints: points,
  };
}

/** The plan of a run that continues from its checkpoint. */
export function planOfCheckpoint(ledger: Ledger, options: Options, submits: boolean): PlanEvent {
  const pending = submits ? ledger.counts.pending : 0;
  const toSubmit = Math.min(pending, options.limit ?? pending);
  return {
    type: 'plan',
    file: null,
    rows: countRows(ledger),
    known: { ...ledger.counts },
    toSubmit,
    estimatedPoints: estimate(toSubmit, ledger),
  };
}

/** Does not look up the qualities of the rows: each counts as the most expensive. */
function estimate(rows: number, { largestPoints }: Ledger): number | null {
  if (rows === 0) return 0;
  return largestPoints.size === 0 ? null : roundPoints(Math.max(...largestPoints.values()) * rows);
}
