/** The plan in words: what was found in the file, what will happen, what it may cost. */

import { statuses } from '../core/item.ts';
import type { Plan } from '../core/plan.ts';
import { expectedPoints, type Ledger, roundPoints } from '../core/summary.ts';
import { renderNumber, renderRows } from './numbers.ts';
import { toTerminalText } from './terminal-text.ts';

export interface PlanText {
  /** As the user named it. */
  readonly file: string;
  readonly found: {
    readonly encoding: string;
    readonly format: string;
    readonly notes: readonly string[];
  };
  readonly plan: Plan;
  /** Numbers of the checkpoint, for the estimate. */
  readonly ledger: Ledger;
  readonly rerunsChanged: boolean;
  /** `--limit`; null for none. */
  readonly limit: number | null;
}

/** The lines to print before anything is sent. */
export function renderPlan({ file, found, plan, ledger, rerunsChanged, limit }: PlanText): readonly string[] {
  const details = [
    ...found.notes,
    ...(plan.twins > 0
      ? [
          `warning: ${renderRows(plan.twins)} without id repeat another row word for word; each is a question of its own`,
        ]
      : []),
    ...renderChanged(plan, rerunsChanged),
  ];
  return [
    toTerminalText(`${file}: ${renderRows(plan.rows)}, ${found.format.toUpperCase()}, ${found.encoding}`),
    ...details.map((detail) => `  ${toTerminalText(detail)}`),
    `Plan: ${renderShares(plan, limit)}`,
    renderEstimate(Math.min(plan.toSubmit, limit ?? plan.toSubmit), ledger),
  ];
}

function renderShares(plan: Plan, limit: number | null): string {
  const known = statuses.filter((status) => plan.known[status] > 0);
  const changed = plan.changedUnsent + plan.changedSent;
  const shares = [
    limit !== null && limit < plan.toSubmit
      ? `${renderNumber(limit)} of ${renderNumber(plan.toSubmit)} to submit now (--limit)`
      : `${renderNumber(plan.toSubmit)} to submit`,
    ...(plan.newRows > 0 ? [`${renderNumber(plan.newRows)} new`] : []),
    ...known.map(
      (status) => `${renderNumber(plan.known[status])} ${status === 'completed' ? 'done' : status}`,
    ),
    ...(changed > 0 ? [`${renderNumber(changed)} changed`] : []),
    ...(plan.gone > 0 ? [`${renderNumber(plan.gone)} gone from the file`] : []),
    ...(plan.invalid > 0 ? [`${renderNumber(plan.invalid)} cannot be sent`] : []),
  ];
  return shares.join(', ');
}

function renderChanged(plan: Plan, rerunsChanged: boolean): readonly string[] {
  if (plan.changedSent === 0) return [];
  const more = plan.changedSent > plan.changedSentIds.length ? ', ...' : '';
  const ids = `${plan.changedSentIds.join(', ')}${more}`;
  const kept = plan.changedSent - (rerunsChanged ? plan.rerunnable : 0);
  return [
    ...(rerunsChanged && plan.rerunnable > 0
      ? [
          `${renderRows(plan.rerunnable)} changed after they were submitted and are paid for again (--rerun-changed): ${ids}`,
        ]
      : []),
    ...(kept > 0
      ? [
          `warning: ${renderRows(kept)} changed after they were submitted and keep their result: ${ids}` +
            (rerunsChanged ? '' : '; --rerun-changed pays for them again'),
        ]
      : []),
  ];
}

/** An estimate is only as good as what was seen: the largest points of one task of this checkpoint, or nothing. */
function renderEstimate(rows: number, ledger: Ledger): string {
  if (rows === 0) return 'Estimate: nothing to submit, 0 points';
  const each = expectedPoints(ledger, null);
  if (each === null) return 'Estimate: unknown, no points were seen yet; --limit 5 submits a few rows first';
  const total = renderNumber(roundPoints(each * rows));
  return `Estimate: at most about ${total} points, at ${renderNumber(each)} a row, the most that one cost so far`;
}
