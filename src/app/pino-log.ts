/** `batch.log`: JSON lines by pino. Secrets are redacted by value in one place, the end of the pipeline. */

import { closeSync, fstatSync, openSync, renameSync, statSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import pino from 'pino';
import { DiskError, refusalOf } from '../errors.ts';
import { ownMode } from '../files/own-mode.ts';
import { message } from '../messages/message.ts';
import type { Log } from '../ports.ts';
import type { Redact } from '../text/redact.ts';

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

function openLog(path: string): number {
  return openSync(path, 'a', ownMode(statSync(dirname(path))));
}

/** The name of the older half. */
function olderLog(path: string): string {
  return `${path}.1`;
}

/** A file of lines that never grows beyond its bounds: its older half lies next to it. Each line is on its way to the disk when `write` returns. A disk that refuses it costs that line, and nothing else. */
export class LogFile implements Disposable {
  readonly #path: string;
  readonly #mostBytes: number;
  #file: number | null;
  /** The last line may lack its end. */
  #isTorn = false;

  /** `mostBytes` are those of both halves. Throws where the file cannot be opened. */
  constructor(path: string, mostBytes: number) {
    this.#path = path;
    this.#mostBytes = mostBytes;
    this.#file = openLog(path);
  }

  write(line: string): void {
    try {
      if (this.#file === null) return;
      // Others append to it, too.
      const { size } = fstatSync(this.#file);
      if (size > 0 && size + Buffer.byteLength(line) > this.#mostBytes / 2)
        this.#file = this.#turn(this.#file);
      this.#append(this.#file, Buffer.from(this.#isTorn ? `\n${line}` : line));
    } catch {
      // The checkpoint's own writes report the disk.
    }
  }

  #append(file: number, bytes: Buffer): void {
    for (let written = 0; written < bytes.length; ) {
      this.#isTorn ||= written > 0;
      written += writeSync(file, bytes, written);
    }
    this.#isTorn = false;
  }

  /** Another process may have turned the page: what this one wrote since is in the older half. A name that cannot be changed stays. */
  #turn(file: number): number {
    try {
      if (statSync(this.#path).ino === fstatSync(file).ino) renameSync(this.#path, olderLog(this.#path));
    } catch {
      // Somebody has it open, as on Windows, or removed it: the lines go where they can.
    }
    const next = openLog(this.#path);
    closeSync(file);
    this.#isTorn = false;
    return next;
  }

  [Symbol.dispose](): void {
    if (this.#file !== null) closeSync(this.#file);
    this.#file = null;
  }
}
