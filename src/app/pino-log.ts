/** `batch.log`: JSON lines by pino. Secrets are redacted by value in one place, the end of the pipeline. */

import pino from 'pino';
import { DiskError, refusalOf } from '../errors.ts';
import { message } from '../messages/message.ts';
import type { Log } from '../ports.ts';
import type { Redact } from '../text/redact.ts';
import { LogFile } from './log-file.ts';

/** Of the log and its older half. */
const defaultLogBytes = 100_000_000;

/**
 * A log at this path; each line is on its way to the disk before anything else happens. A full disk costs lines and
 * nothing else; after its end nothing is written. It and its older half together take `mostBytes`. Throws `DiskError` when it cannot be opened.
 */
export function openPinoLog(path: string, redact: Redact, mostBytes = defaultLogBytes): Log & Disposable {
  const file = open(path, mostBytes);
  const write = (line: string): void => file.write(redact(line));
  const logger = pino({ base: { pid: process.pid }, timestamp: pino.stdTimeFunctions.isoTime }, { write });
  return {
    info: (fields, text) => logger.info(fields, text),
    warn: (fields, text) => logger.warn(fields, text),
    [Symbol.dispose]: () => file[Symbol.dispose](),
  };
}

function open(path: string, mostBytes: number): LogFile {
  try {
    return new LogFile(path, mostBytes);
  } catch (error) {
    throw new DiskError(message('disk.file', { path, act: 'opened', ...refusalOf(error) }), error);
  }
}
