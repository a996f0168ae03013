/**
 * Decodes bytes as text. The encoding is the requested one; else that of a byte order mark; else UTF-16 if there are
 * NUL bytes; else UTF-8 or GB18030, whichever the lines are valid in. ASCII decides nothing, so the choice waits for
 * the first non-ASCII byte and reads what follows it. Decoding is always strict: invalid bytes are a problem of the
 * file, with their line.
 */

import { binaryIn } from '../../files/file-kind.ts';
import type { Binary, EncodingGuess } from '../../messages/formats.ts';
import { type Message, message } from '../../messages/message.ts';
import type { Problems } from '../read-problems.ts';
import { isChinese, likelyEncodings, sampleAs } from './likely-encodings.ts';
import {
  countLineEnds,
  EndlessLineError,
  joinBytes,
  type Layout,
  linesOf,
  wholeLines,
} from './read-lines.ts';
import { sevenBitIn } from './seven-bit.ts';
import { decodeStrictly } from './strict-text.ts';

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

interface Encoding {
  /** The label for `TextDecoder`. */
  readonly label: string;
  readonly name: string;
  /** Why it was chosen; null where it was not guessed. */
  readonly guess: EncodingGuess | null;
  /** The user specified it. */
  readonly isAsked?: boolean;
}

const utf8: Encoding = { label: 'utf-8', name: 'UTF-8', guess: null };

const marks: readonly { readonly bytes: readonly number[]; readonly encoding: Encoding }[] = [
  { bytes: [0xef, 0xbb, 0xbf], encoding: { ...utf8, name: 'UTF-8 with BOM' } },
  { bytes: [0xff, 0xfe], encoding: { ...utf8, label: 'utf-16le', name: 'UTF-16LE with BOM' } },
  { bytes: [0xfe, 0xff], encoding: { ...utf8, label: 'utf-16be', name: 'UTF-16BE with BOM' } },
  { bytes: [0x84, 0x31, 0x95, 0x33], encoding: { ...utf8, label: 'gb18030', name: 'GB18030 with BOM' } },
];

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

/** True for an encoding that files can be read by. */
export function isEncoding(label: string): boolean {
  try {
    return new TextDecoder(label).encoding !== '';
  } catch {
    return false;
  }
}

/** Reads bytes as text. `asked` is known to `isEncoding`. */
export function readText(
  bytes: AsyncIterable<Uint8Array>,
  asked: string | null,
  problems: Problems,
): TextFile {
  let encoding = asked === null ? null : askedEncoding(asked);
  let isEndMarked = false;

  const layoutOf = (head: Uint8Array): Layout => {
    const binary = binaryIn(head);
    if (binary !== null) throw new BinaryError(binary);
    encoding ??= encodingOfHead(head);
    if (encoding?.label === 'utf-16le') return 'low-first';
    return encoding?.label === 'utf-16be' ? 'high-first' : 'bytes';
  };

  async function* blocks(): AsyncGenerator<TextBlock> {
    let line = 1;
    let layout: Layout = 'bytes';
    let undecided: Uint8Array[] = [];
    const decode = (block: Uint8Array, as: Encoding, isLast: boolean): TextBlock => {
      const raw = decodeBlock(block, { as, layout, line, problems });
      const marked = line === 1 && raw.startsWith('\ufeff') ? raw.slice(1) : raw;
      const text = isLast ? marked.replace(endMark, '') : marked;
      isEndMarked = text !== marked;
      const decoded = { text: withoutNul(text, line, problems), line };
      line += countLineEnds(text);
      return decoded;
    };
    try {
      const lines = wholeLines(bytes, (head) => (layout = layoutOf(head)));
      for await (const { block, isLast } of withLast(lines)) {
        if (encoding === null && undecided.length === 0 && isAscii(block)) {
          if (isEscaped(block, line, problems)) return;
          yield decode(block, utf8, isLast);
          continue;
        }
        undecided.push(block);
        const window = joinBytes(undecided);
        if (encoding === null && window.length < windowBytes) continue;
        undecided = [];
        if (encoding === null) {
          encoding = encodingOfLines(window);
          if (isDoubtful(window, line, encoding, problems)) return;
        }
        yield decode(window, encoding, isLast);
      }
    } catch (error) {
      if (error instanceof BinaryError) problems.add(null, message('text.binary', { binary: error.binary }));
      else if (error instanceof EndlessLineError) problems.add(line, message('text.endless-line'));
      else throw error;
    }
    if (undecided.length === 0) return;
    const window = joinBytes(undecided);
    encoding = encodingOfLines(window);
    if (isDoubtful(window, line, encoding, problems)) return;
    yield decode(window, encoding, true);
  }

  return {
    blocks: { [Symbol.asyncIterator]: blocks },
    encoding: () => (encoding ?? utf8).name,
    notes: () => {
      const { name, guess } = encoding ?? utf8;
      return [
        ...(guess === null ? [] : [message('text.read-as', { encoding: name, guess })]),
        ...(isEndMarked ? [message('text.end-mark')] : []),
      ];
    },
  };
}

/** By which programs of DOS end a text, and fill its last sector. */
const endMark = /\x1a[\x1a\0\r\n]*$/;

async function* withLast(
  blocks: AsyncIterable<Uint8Array>,
): AsyncGenerator<{ readonly block: Uint8Array; readonly isLast: boolean }> {
  let held: Uint8Array | null = null;
  for await (const block of blocks) {
    if (held !== null) yield { block: held, isLast: false };
    held = block;
  }
  if (held !== null) yield { block: held, isLast: true };
}

function askedEncoding(label: string): Encoding {
  const name = new TextDecoder(label).encoding;
  return { label: name, name: name.toUpperCase(), guess: null, isAsked: true };
}

/** The encoding that the first bytes prove: by a byte order mark, or by NULs as only UTF-16 has them. */
function encodingOfHead(head: Uint8Array): Encoding | null {
  const mark = marks.find((each) => each.bytes.every((byte, at) => head[at] === byte));
  if (mark !== undefined) return mark.encoding;
  let even = 0;
  let odd = 0;
  for (let at = 0; at < head.length; at++) if (head[at] === 0) at % 2 === 0 ? even++ : odd++;
  // A stray NUL in a UTF-8 file does not make it UTF-16; it is reported as what it is.
  if (even + odd === 0 || (even + odd < head.length / 10 && isValid(head, 'utf-8'))) return null;
  const isLowFirst = odd >= even;
  return {
    label: isLowFirst ? 'utf-16le' : 'utf-16be',
    name: isLowFirst ? 'UTF-16LE' : 'UTF-16BE',
    guess: 'nuls',
  };
}

/** True for a guess that is not to be paid for: the problem says what the bytes may be. */
function isDoubtful(window: Uint8Array, line: number, guessed: Encoding, problems: Problems): boolean {
  const isGb18030 = guessed.label === 'gb18030';
  if (!isGb18030 && hasUtf8Line(window)) return false;
  const words = firstWords(window);
  const likely = likelyEncodings(words);
  if (isGb18030 ? isChinese(words, likely) : likely.length === 0) return false;
  const rare = isGb18030 ? sampleAs('gb18030', words) : null;
  const encodings = rare === null ? likely : [...likely, { label: 'gb18030', sample: rare }];
  problems.add(line, message('text.doubtful', { rare, encodings }));
  return true;
}

/** True for ASCII that stands for letters of another language: the problem says by which encoding. */
function isEscaped(block: Uint8Array, line: number, problems: Problems): boolean {
  const text = Buffer.from(block).toString('latin1');
  const found = sevenBitIn(text);
  if (found === null) return false;
  const { name, label, words, at } = found;
  const option = label === null ? null : `--encoding ${label}`;
  problems.add(
    line + countLineEnds(text.slice(0, at)),
    message('text.escaped', { encoding: name, words, option }),
  );
  return true;
}

/** So many bytes tell a language. */
const toldBytes = 8 * 1024;

/** The first lines that are not ASCII. */
function firstWords(window: Uint8Array): Uint8Array {
  const lines: Uint8Array[] = [];
  let size = 0;
  for (const line of linesOf(window, 'bytes')) {
    if (isAscii(line)) continue;
    lines.push(line);
    size += line.length;
    if (size > toldBytes) break;
  }
  return joinBytes(lines);
}

/** True where a line that is not ASCII is UTF-8: then the others are damaged. */
function hasUtf8Line(window: Uint8Array): boolean {
  for (const line of linesOf(window, 'bytes')) if (!isAscii(line) && isValid(line, 'utf-8')) return true;
  return false;
}

/** UTF-8 or GB18030, whichever more lines are valid in, so that one damaged line does not decide. */
function encodingOfLines(window: Uint8Array): Encoding {
  let utf8Count = 0;
  let gb18030Count = 0;
  for (const line of linesOf(window, 'bytes')) {
    if (isAscii(line)) continue;
    if (isValid(line, 'utf-8')) utf8Count += 1;
    if (isValid(line, 'gb18030')) gb18030Count += 1;
  }
  if (gb18030Count <= utf8Count || !looksChinese(window)) return utf8;
  return { label: 'gb18030', name: 'GB18030', guess: 'not-utf-8' };
}

/**
 * Western single-byte text is often valid GB18030 too (`é` and the letter after it become one character). In Chinese
 * text nearly every character has two high bytes; in such text the second is an ASCII letter.
 */
function looksChinese(bytes: Uint8Array): boolean {
  let pairCount = 0;
  let highPairCount = 0;
  for (let at = 0; at < bytes.length; at++) {
    if ((bytes[at] ?? 0) < 0x80) continue;
    pairCount += 1;
    at += 1;
    if ((bytes[at] ?? 0) >= 0xa1) highPairCount += 1;
  }
  return highPairCount * 2 > pairCount;
}

interface Decoding {
  readonly as: Encoding;
  readonly layout: Layout;
  /** Number of the first line. */
  readonly line: number;
  readonly problems: Problems;
}

/** Decodes whole lines. Reports the invalid ones and reads on. */
function decodeBlock(block: Uint8Array, { as, layout, line, problems }: Decoding): string {
  try {
    return new TextDecoder(as.label, { fatal: true, ignoreBOM: true }).decode(block);
  } catch {
    let at = line;
    for (const each of linesOf(block, layout)) {
      if (!isValid(each, as.label))
        problems.add(at, message('text.invalid-line', { encoding: as.name, isAsked: as.isAsked ?? false }));
      at += 1;
    }
    return new TextDecoder(as.label, { ignoreBOM: true }).decode(block);
  }
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

function isValid(bytes: Uint8Array, label: string): boolean {
  return decodeStrictly(label, bytes) !== null;
}

function isAscii(bytes: Uint8Array): boolean {
  for (const byte of bytes) if (byte >= 0x80) return false;
  return true;
}
