/**
 * Pure. The lines between the chunks of a body, as strict as the library wants them: no blanks around a size, a carriage
 * return before every line feed. Extensions and trailers, which nobody reads, are left out.
 */

import { joined, lettersOf, nothing } from './wire-bytes.ts';

/** A longer line passes unchanged, and so does everything behind it. */
const longestLineBytes = 64 * 1024;
const lineFeed = 0x0a;

/** The body of one answer. */
export class ChunkLines {
  /** A line that is not complete yet. */
  #pending: Uint8Array = nothing;
  /** What comes next; `rest`: everything, unchanged. */
  #next: 'size' | 'data' | 'gap' | 'trailer' | 'rest' = 'size';
  /** Bytes of the chunk that are still to come. */
  #left = 0;

  /** Returns the bytes to read now; an incomplete line is kept back. */
  pass(bytes: Uint8Array): Uint8Array {
    const all = joined(this.end(), bytes);
    const parts: Uint8Array[] = [];
    let passed = 0;
    for (let at = 0; at < all.length && this.#next !== 'rest'; ) {
      if (this.#next === 'data') {
        at += this.#skip(all.length - at);
        continue;
      }
      const end = all.indexOf(lineFeed, at) + 1;
      if (end === 0) {
        parts.push(all.subarray(passed, at), this.#keepBack(all.subarray(at)));
        return joined(...parts);
      }
      const line = lettersOf(all.subarray(at, end));
      const strict = this.#strict(line);
      if (strict !== line) {
        parts.push(all.subarray(passed, at), Buffer.from(strict, 'latin1'));
        passed = end;
      }
      at = end;
    }
    return joined(...parts, all.subarray(passed));
  }

  /** Returns what was kept back of a line that never became complete. */
  end(): Uint8Array {
    const rest = this.#pending;
    this.#pending = nothing;
    return rest;
  }

  #skip(arrivedBytes: number): number {
    const skipped = Math.min(this.#left, arrivedBytes);
    this.#left -= skipped;
    if (this.#left === 0) this.#next = 'gap';
    return skipped;
  }

  #keepBack(line: Uint8Array): Uint8Array {
    if (line.length <= longestLineBytes) {
      this.#pending = line;
      return nothing;
    }
    this.#next = 'rest';
    return line;
  }

  #strict(line: string): string {
    if (this.#next === 'size') return this.#strictSize(line);
    const isBlank = /^\r*\n$/.test(line);
    if (this.#next === 'trailer') {
      if (isBlank) this.#next = 'rest';
      return isBlank ? '\r\n' : '';
    }
    this.#next = isBlank ? 'size' : 'rest';
    return isBlank ? '\r\n' : line;
  }

  #strictSize(line: string): string {
    const [, digits = ''] = /^[ \t]*([0-9a-f]+)[ \t]*\r*(?:;.*)?\n$/is.exec(line) ?? [];
    this.#left = Number.parseInt(digits, 16);
    if (!Number.isSafeInteger(this.#left)) {
      this.#next = 'rest';
      return line;
    }
    this.#next = this.#left === 0 ? 'trailer' : 'data';
    return `${digits}\r\n`;
  }
}
