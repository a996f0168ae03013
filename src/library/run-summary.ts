/** How a run ended, for programs. */

import type { Invocation } from '../app/settings.ts';
import { decideExitCode, type Ledger } from '../core/summary.ts';
import { renderStatusJson } from '../report/status-json.ts';
import type { RunEnding } from '../runner/runner.ts';
import { nextCommand } from '../terminal/next-steps.ts';
import type { BatchSummary } from './events.ts';

/** The summary of a run, from its checkpoint. */
export function summaryOf(
  invocation: Invocation,
  ledger: Ledger,
  { reason, failure, keptCount = 0 }: RunEnding,
): BatchSummary {
  return {
    ...renderStatusJson(ledger, invocation.out),
    reason,
    failure,
    exitCode: decideExitCode(ledger.counts, reason, keptCount),
    next: nextCommand(ledger.counts, reason, invocation.words),
  };
}
