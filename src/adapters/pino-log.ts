/** `batch.log`: JSON lines by pino. Secrets are taken out by value in one place, the end of the pipe. */

import pino from 'pino';
import type { Redact } from '../core/text/redact.ts';
import { DiskError, messageOf } from '../errors.ts';
import type { Log } from '../ports.ts';

/**
 * A log at this path; lines are on their way to the disk before anything else comes in, those of one moment together. A full disk
 * silences it, and so does its end. Throws `DiskError` when it cannot be opened.
 */
export function openPinoLog(path: string, redact: Redact): Log & Disposable {
  const file = open(path);
  // A log that cannot be written must not take the run down; the checkpoint's own writes report the disk.
  file.on('error', () => {});
  let isOpen = true;
  let lines = '';
  const flush = (): void => {
    if (isOpen && lines !== '') file.write(redact(lines));
    lines = '';
  };
  const write = (line: string): void => {
    if (lines === '') queueMicrotask(flush);
    lines += line;
  };
  const logger = pino({ base: { pid: process.pid }, timestamp: pino.stdTimeFunctions.isoTime }, { write });
  return {
    info: (fields, message) => logger.info(fields, message),
    warn: (fields, message) => logger.warn(fields, message),
    [Symbol.dispose]() {
      flush();
      isOpen = false;
      file.end();
    },
  };
}

function open(path: string): ReturnType<typeof pino.destination> {
  try {
    return pino.destination({ dest: path, append: true, sync: true });
  } catch (error) {
    throw new DiskError(
      `the log cannot be opened (${messageOf(error)}); fix that and run the same line again`,
      error,
    );
  }
}
