/** A file of lines that never grows beyond its bounds: its older half lies beside it. */

import { closeSync, fstatSync, openSync, renameSync, statSync, writeSync } from 'node:fs';

/** The name of the older half. */
function olderLog(path: string): string {
  return `${path}.1`;
}

/** Each line is on its way to the disk when `write` returns. A disk that refuses it costs that line, and nothing else. */
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
    this.#file = openSync(path, 'a');
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
      // Whoever has it open, as on Windows, or removed it: the lines go where they can.
    }
    const next = openSync(this.#path, 'a');
    closeSync(file);
    this.#isTorn = false;
    return next;
  }

  [Symbol.dispose](): void {
    if (this.#file !== null) closeSync(this.#file);
    this.#file = null;
  }
}
