/**
 * What HTTP obliges a client to take, and the library refuses: interim answers that nobody asked for, and a length that is
 * said twice and alike. Both are taken out of the bytes before the library reads them: a task id that follows is paid for.
 */

const nothing = new Uint8Array(0);
/** A head that is longer goes on as it is, for the library to refuse. */
export const longestHeadBytes = 64 * 1024;

const interim = /^HTTP\/1\.\d 1(?!01)\d\d[ \r]/;
const lengthLine = /\r\ncontent-length:([^\r\n]*)/gi;

/** One letter for each byte, so that places in the text are places in the bytes. */
const letters = new TextDecoder('latin1');

/** The heads of the answers on one connection, on which no request leaves before the last one is answered. */
export class AnswerHeads {
  /** A head that is not whole yet. */
  #held: Uint8Array = nothing;
  #isInHead = true;

  /** A request leaves: what comes next is the head of its answer. */
  expect(): void {
    this.#isInHead = true;
  }

  /** What is to be read of these bytes, as far as that is known by now. */
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

  /** What was held back of a head that never became whole. */
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

/** A length that is said several times, in one line or in many, is said once; where they differ, nothing is changed. */
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

/** The part of a socket through which bytes come and go. */
interface Wire {
  push(bytes: Uint8Array | null): boolean;
  write(...words: never[]): boolean;
}

/** Takes them out of what this socket reads from now on. */
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
