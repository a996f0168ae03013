/**
 * An open file. Opening, closing, truncating and stat are synchronous: a small file needs a dozen such steps, and a thread
 * for each would cost a run a sixth more CPU time. What moves bytes or waits for the disk is asynchronous.
 */

import {
  closeSync,
  fstatSync,
  fsync,
  fsyncSync,
  ftruncateSync,
  openSync,
  read,
  type Stats,
  write,
  writev,
} from 'node:fs';

export class OpenFile implements Disposable {
  readonly #number: number;
  #isOpen = true;

  /** `flags` are those of the system. */
  constructor(path: string, flags: number) {
    this.#number = openSync(path, flags);
  }

  /** Writes all bytes at `position`, or after the last write when it is null. */
  async write(bytes: Uint8Array, position: number | null): Promise<void> {
    for (let done = 0; done < bytes.length; ) {
      const at = position === null ? null : position + done;
      done += await this.#writeSome(bytes.subarray(done), at);
    }
  }

  /** Writes the pieces one after the other from `position`, in one step if the system accepts them all. */
  async writeAll(pieces: readonly Uint8Array[], position: number): Promise<void> {
    let written = pieces.length > 1 ? await this.#writePieces(pieces, position) : 0;
    let at = position;
    for (const piece of pieces) {
      if (written < piece.length) await this.write(piece.subarray(written), at + written);
      written = Math.max(0, written - piece.length);
      at += piece.length;
    }
  }

  #writePieces(pieces: readonly Uint8Array[], position: number): Promise<number> {
    return new Promise((done, fail) => {
      writev(this.#number, pieces, position, (error, count) => (error === null ? done(count) : fail(error)));
    });
  }

  #writeSome(bytes: Uint8Array, position: number | null): Promise<number> {
    return new Promise((done, fail) => {
      write(this.#number, bytes, 0, bytes.length, position, (error, count) =>
        error === null ? done(count) : fail(error),
      );
    });
  }

  /** Fills the buffer from `position`, as far as the file has bytes; returns how many. */
  read(buffer: Uint8Array, position: number): Promise<number> {
    return new Promise((done, fail) => {
      read(this.#number, buffer, 0, buffer.length, position, (error, count) =>
        error === null ? done(count) : fail(error),
      );
    });
  }

  /** Makes the bytes survive a power cut, or the names in a folder. */
  sync(): Promise<void> {
    return new Promise((done, fail) => {
      fsync(this.#number, (error) => (error === null ? done() : fail(error)));
    });
  }

  syncNow(): void {
    fsyncSync(this.#number);
  }

  /** Removes all bytes. */
  empty(): void {
    ftruncateSync(this.#number);
  }

  look(): Stats {
    return fstatSync(this.#number);
  }

  /** A second call does nothing. */
  close(): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    closeSync(this.#number);
  }

  [Symbol.dispose](): void {
    this.close();
  }
}
