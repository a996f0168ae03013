/**
 * The encoding of a file: the requested one; else that of a byte order mark; else UTF-16 if there are NUL bytes; else UTF-8
 * or GB18030, whichever the lines are valid in.
 */

import type { EncodingGuess } from '../../messages/formats.ts';
import { type Message, message } from '../../messages/message.ts';
import { isChinese, likelyEncodings, sampleAs } from './likely-encodings.ts';
import { joinBytes, linesOf } from './read-lines.ts';
import { decodeStrictly } from './strict-text.ts';

export interface Encoding {
  /** The label for `TextDecoder`. */
  readonly label: string;
  readonly name: string;
  /** Why it was chosen; null where it was not guessed. */
  readonly guess: EncodingGuess | null;
  /** The user specified it. */
  readonly isAsked?: boolean;
}

export const utf8: Encoding = { label: 'utf-8', name: 'UTF-8', guess: null };

const marks: readonly { readonly bytes: readonly number[]; readonly encoding: Encoding }[] = [
  { bytes: [0xef, 0xbb, 0xbf], encoding: { ...utf8, name: 'UTF-8 with BOM' } },
  { bytes: [0xff, 0xfe], encoding: { ...utf8, label: 'utf-16le', name: 'UTF-16LE with BOM' } },
  { bytes: [0xfe, 0xff], encoding: { ...utf8, label: 'utf-16be', name: 'UTF-16BE with BOM' } },
  { bytes: [0x84, 0x31, 0x95, 0x33], encoding: { ...utf8, label: 'gb18030', name: 'GB18030 with BOM' } },
];

/** True for an encoding that files can be read by. */
export function isEncoding(label: string): boolean {
  try {
    return new TextDecoder(label).encoding !== '';
  } catch {
    return false;
  }
}

export function askedEncoding(label: string): Encoding {
  const name = new TextDecoder(label).encoding;
  return { label: name, name: name.toUpperCase(), guess: null, isAsked: true };
}

/** The encoding that the first bytes prove: by a byte order mark, or by NULs as only UTF-16 has them. */
export function encodingOfHead(head: Uint8Array): Encoding | null {
  const mark = marks.find((each) => each.bytes.every((byte, at) => head[at] === byte));
  if (mark !== undefined) return mark.encoding;
  // What fills the last sector of a disk is no text; a letter of UTF-16 may end in one NUL.
  const text = head.subarray(0, head.findLastIndex((byte) => byte !== 0) + 2);
  let even = 0;
  let odd = 0;
  for (let at = 0; at < text.length; at++) if (text[at] === 0) at % 2 === 0 ? even++ : odd++;
  // A stray NUL in a UTF-8 file does not make it UTF-16; it is reported as what it is.
  if (even + odd === 0 || (even + odd < text.length / 10 && isValid(text, 'utf-8'))) return null;
  const isLowFirst = odd >= even;
  return {
    label: isLowFirst ? 'utf-16le' : 'utf-16be',
    name: isLowFirst ? 'UTF-16LE' : 'UTF-16BE',
    guess: 'nuls',
  };
}

/** UTF-8 or GB18030, whichever more lines are valid in, so that one damaged line does not decide. */
export function encodingOfLines(window: Uint8Array): Encoding {
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

/** What the bytes may be, where the guess is not to be paid for; null where it is. */
export function doubtOf(window: Uint8Array, guessed: Encoding): Message | null {
  const isGb18030 = guessed.label === 'gb18030';
  if (!isGb18030 && hasUtf8Line(window)) return null;
  const words = nonAsciiLines(window);
  const likely = likelyEncodings(words);
  if (isGb18030 ? isChinese(words, likely) : likely.length === 0) return null;
  const rare = isGb18030 ? sampleAs('gb18030', words) : null;
  const encodings = rare === null ? likely : [...likely, { label: 'gb18030', sample: rare }];
  return message('text.doubtful', { rare, encodings });
}

/** So many bytes show a language. */
const languageBytes = 8 * 1024;

/** The first lines that are not ASCII. */
function nonAsciiLines(window: Uint8Array): Uint8Array {
  const lines: Uint8Array[] = [];
  let size = 0;
  for (const line of linesOf(window, 'bytes')) {
    if (isAscii(line)) continue;
    lines.push(line);
    size += line.length;
    if (size > languageBytes) break;
  }
  return joinBytes(lines);
}

/** True where a line that is not ASCII is UTF-8: then the others are damaged. */
function hasUtf8Line(window: Uint8Array): boolean {
  for (const line of linesOf(window, 'bytes')) if (!isAscii(line) && isValid(line, 'utf-8')) return true;
  return false;
}

export function isValid(bytes: Uint8Array, label: string): boolean {
  return decodeStrictly(label, bytes) !== null;
}

export function isAscii(bytes: Uint8Array): boolean {
  for (const byte of bytes) if (byte >= 0x80) return false;
  return true;
}
