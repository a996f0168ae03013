/** Logs a bug with its stack, because the user sees only one line. */

import { appendFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { messageOf, stackOf } from '../errors.ts';
import { ownMode } from '../files/own-mode.ts';
import { createRedact, type Redact } from '../text/redact.ts';
import { inSource } from './source-lines.ts';

/** The log for bugs, and the clock of its lines (epoch ms). */
let log: { readonly path: string; readonly now: () => number } | null = null;
let redact: Redact = createRedact([]);

/** Logs bugs in this output folder from now on. This process must have locked the folder. */
export function keepBugsIn(folder: string, now: () => number, takeOut?: Redact): void {
  log = { path: join(folder, 'batch.log'), now };
  redact = takeOut ?? redact;
}

/** Logs the bug. Returns the end of the message, which says where the details are. */
export function keepBug(error: unknown): string {
  if (log === null) return '; --verbose shows where';
  const line = {
    level: 50,
    time: new Date(log.now()).toISOString(),
    pid: process.pid,
    failure: messageOf(error),
    stack: inSource(stackOf(error)),
    msg: 'a bug in batch',
  };
  try {
    const mode = ownMode(statSync(dirname(log.path)));
    appendFileSync(log.path, `${redact(JSON.stringify(line))}\n`, { mode });
    return '; batch.log has where it is';
  } catch {
    return '; --verbose shows where';
  }
}
