/**
 * Pure. Rewrites what curl and browsers read but the library refuses into what it reads, before it does, because a task
 * id that follows is already paid for: interim answers that were not requested, a length said twice or next to chunks, lines
 * that end in a line feed alone or continue in the next, blanks before a colon, control characters, lines that are no header.
 */

import { ChunkLines } from './chunk-lines.ts';
import { joined, lettersOf, nothing } from './wire-bytes.ts';

/** A longer head passes unchanged; the library refuses it. */
export const longestHeadBytes = 64 * 1024;

/** The empty lines before a head, the head, and the empty line behind it. */
const wholeHead = /^[\r\n]*([^\r\n].*?\n)\r?\n/s;
const interim = /^HTTP\/1\.\d 1(?!01)\d\d[ \r]/;
const header = /^[!#$%&'*+.^_`|~0-9a-z-]+:/i;
/** Most heads: no line needs a closer look. */
const soundLines = /^[\t\x20-\x7e\x80-\xff]+\r\n(?:[!#$%&'*+.^_`|~0-9a-z-]+:[\t\x20-\x7e\x80-\xff]*\r\n)*$/i;
const blankColon = /^([^\s:]+)[ \t]+:/;
const control = /[\0-\x08\x0a-\x1f\x7f]/g;

/** The answers on one connection, where each request waits for the previous answer. */
export class AnswerHeads {
  /** A head that is not complete yet. */
  #pending: Uint8Array = nothing;
  #isInHead = true;
  /** The body, where it comes in chunks. */
  #chunks: ChunkLines | null = null;

  /** A request leaves: the next bytes are the head of its answer. */
  expect(): void {
    this.#isInHead = true;
    this.#chunks = null;
  }

  /** Returns the bytes to read now; an incomplete head, or line between chunks, is kept back. */
  pass(bytes: Uint8Array): Uint8Array {
    if (!this.#isInHead) return this.#chunks?.pass(bytes) ?? bytes;
    const all = joined(this.#pending, bytes);
    const text = lettersOf(all);
    let from = 0;
    for (;;) {
      const [before = '', said = ''] = wholeHead.exec(text.slice(from)) ?? [];
      if (before === '') return this.#keepBack(all.subarray(from));
      const next = from + before.length;
      const mended = mendHead(said);
      if (mended === null || !interim.test(mended.head))
        return this.#begin(mended, all.subarray(from), before.length);
      from = next;
    }
  }

  /** The head is complete: the first `headBytes` of these, with the empty lines around it. */
  #begin(mended: Head | null, bytes: Uint8Array, headBytes: number): Uint8Array {
    this.#pending = nothing;
    this.#isInHead = false;
    if (mended === null) return bytes;
    this.#chunks = mended.isChunked ? new ChunkLines() : null;
    const [head, rest] = [bytes.subarray(0, headBytes), bytes.subarray(headBytes)];
    const body = this.#chunks?.pass(rest) ?? rest;
    const isSound = mended.head === lettersOf(head);
    if (isSound && body === rest) return bytes;
    return joined(isSound ? head : Buffer.from(mended.head, 'latin1'), body);
  }

  /** Returns what was kept back of something that never became complete. */
  end(): Uint8Array {
    const rest = this.#chunks?.end() ?? this.#pending;
    this.#pending = nothing;
    return rest;
  }

  #keepBack(bytes: Uint8Array): Uint8Array {
    if (bytes.length <= longestHeadBytes) {
      this.#pending = bytes;
      return nothing;
    }
    this.#pending = nothing;
    this.#isInHead = false;
    return bytes;
  }
}

/** A head as the library reads it, with the empty line. */
interface Head {
  readonly head: string;
  readonly isChunked: boolean;
}

/** Null for what is no head of HTTP/1. */
function mendHead(text: string): Head | null {
  if (!text.startsWith('HTTP/1.')) return null;
  const kept = soundLines.test(text) ? text.slice(0, -2).split('\r\n') : mendLines(text);
  const codings = wordsOf(kept, 'transfer-encoding').map((word) => word.toLowerCase());
  const isChunked = codings.at(-1) === 'chunked';
  const framed = withOneFraming(kept, codings, isChunked);
  return { head: [...framed, '', ''].join('\r\n'), isChunked };
}

function mendLines(text: string): readonly string[] {
  const lines = text.split('\n').map((line) => line.replace(/\r$/, '').replace(control, ' '));
  const sound = unfolded(lines).map((line) => line.replace(blankColon, '$1:'));
  return sound.filter((line, at) => at === 0 || header.test(line));
}

/** Puts the lines of a header that goes over several into one. */
function unfolded(lines: readonly string[]): readonly string[] {
  const whole: string[] = [];
  for (const line of lines) {
    if (/^[ \t]/.test(line)) whole.push(`${whole.pop()} ${line.trimStart()}`);
    else whole.push(line);
  }
  return whole;
}

/**
 * Chunks win over a length. Where a length is said more than once, in one line or several, it stays once; where two differ,
 * nothing changes.
 */
function withOneFraming(
  headers: readonly string[],
  codings: readonly string[],
  isChunked: boolean,
): readonly string[] {
  const lengths = wordsOf(headers, 'content-length');
  const [length = ''] = lengths;
  if (lengths.length === 0) return headers;
  // The sender did not keep to one framing: what follows on this connection is not trusted.
  if (isChunked) return [...without(without(headers, 'content-length'), 'connection'), 'connection: close'];
  const sound = codings.every((coding) => coding === 'identity')
    ? without(headers, 'transfer-encoding')
    : headers;
  if (lengths.length < 2 || !/^\d+$/.test(length) || lengths.some((other) => other !== length)) return sound;
  const first = sound.findIndex((line) => isNamed(line, 'content-length'));
  const before = sound.slice(0, first);
  return [...before, `content-length: ${length}`, ...without(sound.slice(first), 'content-length')];
}

/** The values of a header, which may be in one line or several. */
function wordsOf(headers: readonly string[], name: string): readonly string[] {
  return headers
    .filter((line) => isNamed(line, name))
    .flatMap((line) => line.slice(name.length + 1).split(','))
    .map((word) => word.trim());
}

function without(headers: readonly string[], name: string): readonly string[] {
  return headers.filter((line) => !isNamed(line, name));
}

function isNamed(line: string, name: string): boolean {
  return line[name.length] === ':' && line.slice(0, name.length).toLowerCase() === name;
}

/** The read and write side of a socket. */
interface Wire {
  push(bytes: Uint8Array | null): boolean;
  write(...words: never[]): boolean;
}

/** Repairs everything this socket reads from now on. */
export function mendAnswers(socket: Wire): void {
  const heads = new AnswerHeads();
  const { push, write } = socket;
  socket.push = (bytes) => {
    if (bytes !== null) return push.call(socket, heads.pass(bytes));
    const rest = heads.end();
    if (rest.length > 0) push.call(socket, rest);
    return push.call(socket, null);
  };
  socket.write = (...words) => {
    heads.expect();
    return write.apply(socket, words);
  };
}
