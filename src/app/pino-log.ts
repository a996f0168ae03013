/** `batch.log`: JSON lines by pino. Secrets are redacted by value in one place, the end of the pipeline. */

import pino from 'pino';
import { DiskError, refusalOf } from '../errors.ts';
import { message } from '../messages/message.ts';
import type { Log } from '../ports.ts';
import type { Redact } from '../text/redact.ts';

/**
 * A log at this path; each line is on its way to the disk before anything else happens. A full disk silences it, and so does its
 * end. Throws `DiskError` when it cannot be opened.
 */
export function openPinoLog(path: string, redact: Redact): Log & Disposable {
  const file = open(path);
  // A failing log must not stop the run; the checkpoint's own writes report the disk.
  file.on('error', () => {});
  let isOpen = true;
  const write = (line: string): void => {
    if (isOpen) file.write(redact(line));
  };
  const logger = pino({ base: { pid: process.pid }, timestamp: pino.stdTimeFunctions.isoTime }, { write });
  return {
    info: (fields, text) => logger.info(fields, text),
    warn: (fields, text) => logger.warn(fields, text),
    [Symbol.dispose]() {
      isOpen = false;
      file.end();
    },
  };
}

function open(path: string): ReturnType<typeof pino.destination> {
  try {
    return pino.destination({ dest: path, append: true, sync: true });
  } catch (error) {
    throw new DiskError(message('disk.file', { path, act: 'opened', ...refusalOf(error) }), error);
  }
}
