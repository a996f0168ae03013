/**
 * Decodes bytes as text. ASCII does not decide the encoding, so the choice waits for the first byte beyond it and reads what
 * follows. Decoding is always strict: invalid bytes are a problem of the file, with their line.
 */

import { binaryIn } from '../../files/file-kind.ts';
import type { Binary } from '../../messages/formats.ts';
import { type Message, message } from '../../messages/message.ts';
import type { Problems } from '../read-problems.ts';
import {
  askedEncoding,
  doubtOf,
  type Encoding,
  encodingOfHead,
  encodingOfLines,
  isAscii,
  isValid,
  utf8,
} from './choose-encoding.ts';
import {
  countLineEnds,
  EndlessLineError,
  joinBytes,
  type Layout,
  linesOf,
  wholeLines,
} from './read-lines.ts';
import { sevenBitIn } from './seven-bit.ts';

/** Whole lines of text, with the number of the first one. */
export interface TextBlock {
  readonly text: string;
  readonly line: number;
}

/** A file as text; what was detected is known when its blocks have ended. */
interface TextFile {
  readonly blocks: AsyncIterable<TextBlock>;
  /** Name for people. */
  encoding(): string;
  /** Why it was chosen, in one sentence; none where nothing was guessed. */
  notes(): Message[];
}

/** How many bytes from the first non-ASCII one are read before the choice. */
const windowBytes = 64 * 1024;

/** Thrown for a binary file of a known kind. */
class BinaryError extends Error {
  readonly binary: Binary;
  constructor(binary: Binary) {
    super(binary);
    this.binary = binary;
  }
}

/** Reads bytes as text. `asked` is known to `isEncoding`. */
export function readText(
  bytes: AsyncIterable<Uint8Array>,
  asked: string | null,
  problems: Problems,
): TextFile {
  return new TextReader(bytes, asked, problems);
}

class TextReader implements TextFile {
  readonly blocks = { [Symbol.asyncIterator]: () => this.#read() };
  readonly #bytes: AsyncIterable<Uint8Array>;
  readonly #problems: Problems;
  /** null until the bytes decide it. */
  #encoding: Encoding | null;
  #layout: Layout = 'bytes';
  /** Where the next block starts. */
  #line = 1;
  #isEndMarked = false;

  constructor(bytes: AsyncIterable<Uint8Array>, asked: string | null, problems: Problems) {
    this.#bytes = bytes;
    this.#encoding = asked === null ? null : askedEncoding(asked);
    this.#problems = problems;
  }

  encoding(): string {
    return (this.#encoding ?? utf8).name;
  }

  notes(): Message[] {
    const { name, guess } = this.#encoding ?? utf8;
    return [
      ...(guess === null ? [] : [message('text.read-as', { encoding: name, guess })]),
      ...(this.#isEndMarked ? [message('text.end-mark')] : []),
    ];
  }

  async *#read(): AsyncGenerator<TextBlock> {
    let undecided: Uint8Array[] = [];
    try {
      const lines = wholeLines(this.#bytes, (head) => this.#layoutOf(head));
      for await (const { block, isLast } of withLast(lines)) {
        if (this.#encoding === null && undecided.length === 0 && isAscii(block)) {
          if (this.#isEscaped(block)) return;
          yield this.#decode(block, utf8, isLast);
          continue;
        }
        undecided.push(block);
        const window = joinBytes(undecided);
        if (this.#encoding === null && window.length < windowBytes) continue;
        undecided = [];
        const encoding = this.#encodingBy(window);
        if (encoding === null) return;
        yield this.#decode(window, encoding, isLast);
      }
    } catch (error) {
      if (error instanceof BinaryError)
        this.#problems.add(null, message('text.binary', { binary: error.binary }));
      else if (error instanceof EndlessLineError)
        this.#problems.add(this.#line, message('text.endless-line'));
      else throw error;
    }
    if (undecided.length === 0) return;
    const window = joinBytes(undecided);
    const encoding = this.#encodingBy(window);
    if (encoding !== null) yield this.#decode(window, encoding, true);
  }

  /** Throws `BinaryError`. */
  #layoutOf(head: Uint8Array): Layout {
    const binary = binaryIn(head);
    if (binary !== null) throw new BinaryError(binary);
    this.#encoding ??= encodingOfHead(head);
    if (this.#encoding?.label === 'utf-16le') this.#layout = 'low-first';
    if (this.#encoding?.label === 'utf-16be') this.#layout = 'high-first';
    return this.#layout;
  }

  /** The encoding, by these bytes where nothing else decided it; null for a doubtful one, which is a problem. */
  #encodingBy(window: Uint8Array): Encoding | null {
    if (this.#encoding !== null) return this.#encoding;
    this.#encoding = encodingOfLines(window);
    const doubt = doubtOf(window, this.#encoding);
    if (doubt !== null) this.#problems.add(this.#line, doubt);
    return doubt === null ? this.#encoding : null;
  }

  /** True for ASCII that stands for letters of another language: the problem says by which encoding. */
  #isEscaped(block: Uint8Array): boolean {
    const text = Buffer.from(block).toString('latin1');
    const found = sevenBitIn(text);
    if (found === null) return false;
    const { name, label, words, at } = found;
    const option = label === null ? null : `--encoding ${label}`;
    const line = this.#line + countLineEnds(text.slice(0, at));
    this.#problems.add(line, message('text.escaped', { encoding: name, words, option }));
    return true;
  }

  #decode(block: Uint8Array, as: Encoding, isLast: boolean): TextBlock {
    const line = this.#line;
    const raw = this.#decodeLines(block, as);
    const marked = line === 1 && raw.startsWith('\ufeff') ? raw.slice(1) : raw;
    const text = isLast ? marked.replace(endMark, '') : marked;
    this.#isEndMarked = text !== marked;
    this.#line += countLineEnds(text);
    return { text: withoutNul(text, line, this.#problems), line };
  }

  /** Reports the invalid lines and reads on. */
  #decodeLines(block: Uint8Array, as: Encoding): string {
    try {
      return new TextDecoder(as.label, { fatal: true, ignoreBOM: true }).decode(block);
    } catch {
      const said = message('text.invalid-line', { encoding: as.name, isAsked: as.isAsked ?? false });
      let line = this.#line;
      for (const each of linesOf(block, this.#layout)) {
        if (!isValid(each, as.label)) this.#problems.add(line, said);
        line += 1;
      }
      return new TextDecoder(as.label, { ignoreBOM: true }).decode(block);
    }
  }
}

/** By which programs of DOS end a text, and what fills its last sector. */
const endMark = /\x1a[\x1a\0\r\n]*$|\0+$/;

async function* withLast(
  blocks: AsyncIterable<Uint8Array>,
): AsyncGenerator<{ readonly block: Uint8Array; readonly isLast: boolean }> {
  let previous: Uint8Array | null = null;
  for await (const block of blocks) {
    if (previous !== null) yield { block: previous, isLast: false };
    previous = block;
  }
  if (previous !== null) yield { block: previous, isLast: true };
}

function withoutNul(text: string, firstLine: number, problems: Problems): string {
  if (!text.includes('\0')) return text;
  let line = firstLine;
  for (const each of text.split(/\r\n|[\r\n]/)) {
    if (each.includes('\0')) problems.add(line, message('text.nul'));
    line += 1;
  }
  return text.replaceAll('\0', '\ufffd');
}
