/** Where a bug is written down with its stack, so that it can be found after the user has read one line. */

import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { systemClock } from '../adapters/system-clock.ts';
import { createRedact, type Redact } from '../core/text/redact.ts';
import { messageOf, stackOf } from '../errors.ts';

let folder: string | null = null;
let redact: Redact = createRedact([]);

/** From now on bugs are written into the log of this output folder, which this process has for itself. */
export function keepBugsIn(path: string, takeOut?: Redact): void {
  folder = path;
  redact = takeOut ?? redact;
}

/** Writes the bug down. Gives back what to tell of it: nothing where that cannot be. */
export function keepBug(error: unknown): string {
  if (folder === null) return '; --verbose shows where';
  const path = join(folder, 'batch.log');
  const line = {
    level: 50,
    time: new Date(systemClock.now()).toISOString(),
    pid: process.pid,
    failure: messageOf(error),
    stack: stackOf(error),
    msg: 'a bug in batch',
  };
  try {
    appendFileSync(path, `${redact(JSON.stringify(line))}\n`);
    return '; batch.log has where it is';
  } catch {
    return '; --verbose shows where';
  }
}
