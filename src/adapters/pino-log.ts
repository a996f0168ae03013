/** `batch.log`: JSON lines by pino. Secrets are redacted by value in one place, the end of the pipeline. */

import pino from 'pino';
import type { Redact } from '../core/text/redact.ts';
import { DiskError, messageOf } from '../errors.ts';
import type { Log } from '../ports.ts';

/**
 * A log at this path; lines of one moment are written together, before any other event is handled. A full disk silences
 * it, and so does closing it. Throws `DiskError` when it cannot be opened.
 */
export function openPinoLog(path: string, redact: Redact): Log & Disposable {
  const file = open(path);
  // A failing log must not stop the run; the checkpoint's own writes report the disk.
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
      `the log cannot be opened (${messageOf(error)}); fix this and run the same command again`,
      error,
    );
  }
}
