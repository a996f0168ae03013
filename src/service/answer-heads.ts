/**
 * Pure. Repairs what HTTP obliges a client to accept but the library refuses: unsolicited interim responses, and a
 * Content-Length repeated with the same value. Both are removed from the bytes before the library reads them, because a
 * task id that follows is already paid for.
 */

const nothing = new Uint8Array(0);
/** A longer head passes unchanged; the library refuses it. */
export const longestHeadBytes = 64 * 1024;

const interim = /^HTTP\/1\.\d 1(?!01)\d\d[ \r]/;
const lengthLine = /\r\ncontent-length:([^\r\n]*)/gi;

/** One character per byte, so that offsets in the text are offsets in the bytes. */
const letters = new TextDecoder('latin1');

/** The response heads on one connection, where each request waits for the previous answer. */
export class AnswerHeads {
  /** A head that is not complete yet. */
  #held: Uint8Array = nothing;
  #isInHead = true;

  /** A request leaves: the next bytes are the head of its answer. */
  expect(): void {
    this.#isInHead = true;
  }

  /** Returns the bytes to read now; an incomplete head is held back. */
  pass(bytes: Uint8Array): Uint8Array {
    if (!this.#isInHead) return bytes;
    const all = this.#held.length === 0 ? bytes : joined(this.#held, bytes);
    const text = letters.decode(all);
    let from = 0;
    for (;;) {
      const end = text.indexOf('\r\n\r\n', from);
      if (end === -1) return this.#hold(all.subarray(from));
      const head = text.slice(from, end);
      if (!interim.test(`${head}\r`)) {
        this.#held = nothing;
        this.#isInHead = false;
        return withOneLength(all.subarray(from), head);
      }
      from = end + 4;
    }
  }

  /** Returns what was held back of a head that never became complete. */
  end(): Uint8Array {
    const rest = this.#held;
    this.#held = nothing;
    return rest;
  }

  #hold(bytes: Uint8Array): Uint8Array {
    if (bytes.length <= longestHeadBytes) {
      this.#held = bytes;
      return nothing;
    }
    this.#held = nothing;
    this.#isInHead = false;
    return bytes;
  }
}

/** Merges repeated lengths, in one line or several, into one; where they differ, changes nothing. */
function withOneLength(bytes: Uint8Array, head: string): Uint8Array {
  const lines = [...head.matchAll(lengthLine)];
  const values = lines.flatMap(([, value = '']) => value.split(',')).map((value) => value.trim());
  const [length = ''] = values;
  if (values.length < 2 || !/^\d+$/.test(length) || values.some((value) => value !== length)) return bytes;
  const parts: Uint8Array[] = [];
  let from = 0;
  for (const line of lines) {
    parts.push(bytes.subarray(from, line.index));
    from = line.index + line[0].length;
  }
  const [first = nothing, ...rest] = parts;
  const said = new TextEncoder().encode(`\r\ncontent-length: ${length}`);
  return joined(first, said, ...rest, bytes.subarray(from));
}

function joined(...parts: readonly Uint8Array[]): Uint8Array {
  const all = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
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
