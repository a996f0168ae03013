/** Where a bug is written down with its stack, so that it can be found after the user has read one line. */

import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { createRedact, type Redact } from '../core/text/redact.ts';
import { messageOf, stackOf } from '../errors.ts';

/** The log that takes bugs, and the clock of its lines (epoch ms). */
let log: { readonly path: string; readonly now: () => number } | null = null;
let redact: Redact = createRedact([]);

/** From now on bugs are written into the log of this output folder, which this process has for itself. */
export function keepBugsIn(folder: string, now: () => number, takeOut?: Redact): void {
  log = { path: join(folder, 'batch.log'), now };
  redact = takeOut ?? redact;
}

/** Writes the bug down. Gives back what to tell of it: nothing where that cannot be. */
export function keepBug(error: unknown): string {
  if (log === null) return '; --verbose shows where';
  const line = {
    level: 50,
    time: new Date(log.now()).toISOString(),
    pid: process.pid,
    failure: messageOf(error),
    stack: stackOf(error),
    msg: 'a bug in batch',
  };
  try {
    appendFileSync(log.path, `${redact(JSON.stringify(line))}\n`);
    return '; batch.log has where it is';
  } catch {
    return '; --verbose shows where';
  }
}
