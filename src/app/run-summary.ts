/** How a run ended, for programs. */

import { decideExitCode, type Ledger } from '../money/summary.ts';
import { renderStatusJson } from '../reports/status-json.ts';
import type { RunEnding } from '../runner/ending.ts';
import type { EndSummary } from '../schemas/run-state.ts';
import { nextCommand, type StoppedCommand } from '../terminal/next-steps.ts';
import type { Offers } from '../terminal/offers.ts';
import type { Invocation } from './options/invocation.ts';

/** The summary of a run, from its checkpoint. */
export function summaryOf(
  invocation: Invocation,
  ledger: Ledger,
  ending: RunEnding,
  offers: Offers | null,
  stopped: StoppedCommand | null = null,
): EndSummary {
  const { reason, failure } = ending;
  return {
    ...renderStatusJson(ledger, invocation.out),
    reason,
    failure,
    exitCode: decideExitCode(ledger.counts, reason, { ...ending, held: ledger.held }),
    next: nextCommand(ledger.counts, reason, invocation.words, offers, stopped, ledger.held),
  };
}
