/** The closing words of a run, with an uncertain row's id to show its command with. */

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { EndingReason, Ledger } from '../core/summary.ts';
import type { Checkpoint } from '../ports.ts';
import { renderTotals } from '../terminal/totals.ts';
import { printResult } from './console.ts';

export interface Totals {
  readonly ledger: Ledger;
  readonly reason: EndingReason;
  /** What stopped the run, without secrets; null where the reason says it all. */
  readonly detail: string | null;
  /** The output folder, as the user named it. */
  readonly out: string;
}

/** Prints how a run stands or ended, and what to type next. */
export async function printTotals(checkpoint: Checkpoint, totals: Totals): Promise<void> {
  const uncertainId = await firstUncertainId(checkpoint);
  const hasReports = existsSync(join(totals.out, 'report.html'));
  for (const line of renderTotals({ ...totals, uncertainId, hasReports })) printResult(line);
}

async function firstUncertainId(checkpoint: Checkpoint): Promise<string | null> {
  for await (const item of checkpoint.items(['uncertain'])) return item.id;
  return null;
}
