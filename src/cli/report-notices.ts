/** What commands say of the reports that they wrote. */

import { inUseText, type ReportInUse } from '../reports/write-report.ts';
import type { Phrases } from '../terminal/phrases/phrases.ts';
import { printNotice } from './console.ts';

/** A report that is open elsewhere is no failure: the new one lies next to it. */
export function printInUse(reports: readonly ReportInUse[], { render, progress }: Phrases): void {
  for (const report of reports) printNotice(progress.warning + render(inUseText(report)));
}
