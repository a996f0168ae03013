/** What the reports say about the run they are of. */

import { createHash } from 'node:crypto';
import { pageAssets } from '../adapters/page-assets.ts';
import type { SqliteCheckpoint } from '../adapters/sqlite/sqlite-checkpoint.ts';
import { systemClock } from '../adapters/system-clock.ts';
import type { ReportFacts } from '../report/write-report.ts';
import type { Invocation } from './settings.ts';

/** The facts as of now. */
export function reportFacts(
  checkpoint: SqliteCheckpoint,
  { out, outShown }: Pick<Invocation, 'out' | 'outShown'>,
  running: boolean,
): ReportFacts {
  const name = runName(checkpoint, out);
  return {
    out: outShown,
    folder: out,
    run: name,
    writtenAt: systemClock.now(),
    running,
    assets: pageAssets(),
  };
}

/** The same for all pages of a run. Made of its secret, which does not follow from it; of the folder where none was made yet. */
function runName(checkpoint: SqliteCheckpoint, out: string): string {
  const seed = checkpoint.setting('callback-secret') ?? out;
  return createHash('sha256').update(`page of ${seed}`).digest('hex').slice(0, 16);
}
