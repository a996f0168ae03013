/** Pure. Says what a text was before its UTF-8 was read as Windows-1252 or GBK: the letters give its bytes back. */

import { decodeStrictly } from '../encoding/strict-text.ts';
import { isMisread } from './damaged-text.ts';

/** In place of a byte that the program before threw away. */
const lost = -1;
const questionMark = 0x3f;
/** Stands for letters that can no longer be known. */
const gap = '…';
/** Fewer letters are some text by chance. */
const leastLetters = 2;

/** The bytes of each letter that is not ASCII. */
type Letters = ReadonlyMap<string, readonly number[]>;

let singleBytes: Letters | null = null;
let doubleBytes: Letters | null = null;

/** The text as it was, with `…` for what is lost; null where that is not certain. */
export function undamaged(text: string): string | null {
  singleBytes ??= lettersOf(
    'windows-1252',
    range(0x80, 0xff).map((byte) => [byte]),
  );
  doubleBytes ??= lettersOfGbk();
  const bytes = bytesOf(text, singleBytes) ?? bytesOf(text, doubleBytes);
  const mended = bytes === null ? null : readUtf8(bytes);
  return mended !== null && isMisread(mended) ? undamaged(mended) : mended;
}

/** The byte 0x80 is the euro sign, as Windows reads it. */
function lettersOfGbk(): Letters {
  const trails = range(0x40, 0xfe).filter((byte) => byte !== 0x7f);
  const pairs = range(0x81, 0xfe).flatMap((lead) => trails.map((trail) => [lead, trail]));
  return new Map([...lettersOf('gbk', pairs), ['€', [0x80]]]);
}

function lettersOf(label: string, codes: readonly (readonly number[])[]): Letters {
  const decoder = new TextDecoder(label);
  return new Map(codes.map((code) => [decoder.decode(Uint8Array.from(code)), code]));
}

function range(from: number, to: number): readonly number[] {
  return Array.from({ length: to - from + 1 }, (_, at) => from + at);
}

/** Null for a text with letters that this encoding does not have. */
function bytesOf(text: string, letters: Letters): readonly number[] | null {
  const bytes: number[] = [];
  for (const letter of text) {
    const code = letter.charCodeAt(0);
    const known = code < 0x80 ? [code] : letter === '\ufffd' ? [lost] : letters.get(letter);
    if (known === undefined) return null;
    bytes.push(...known);
  }
  return bytes;
}

/** Null for bytes that are not UTF-8, or of which more is lost than is left. */
function readUtf8(bytes: readonly number[]): string | null {
  let text = '';
  let letterCount = 0;
  let gapCount = 0;
  let at = 0;
  while (at < bytes.length) {
    const size = sizeOf(bytes[at]);
    const end = endOfInner(bytes, at + 1, size - 1);
    const cut = bytes[end];
    if (bytes[at] !== lost && end === at + size) {
      const letter = decodeStrictly('utf-8', Uint8Array.from(bytes.slice(at, end)));
      if (letter === null) return null;
      text += letter;
      if (size > 1) letterCount += 1;
      at = end;
    } else if (bytes[at] === lost || cut === undefined || cut === lost || cut === questionMark) {
      gapCount += 1;
      if (!text.endsWith(gap)) text += gap;
      at = endOfInner(bytes, bytes[at] === lost ? at + 1 : end + 1, bytes.length);
    } else return null;
  }
  return letterCount >= leastLetters && letterCount > gapCount ? text : null;
}

/** Where so many bytes, or fewer, end that do not begin a letter. */
function endOfInner(bytes: readonly number[], from: number, most: number): number {
  let end = from;
  while (end < from + most && isInner(bytes[end])) end += 1;
  return end;
}

function isInner(byte = lost): boolean {
  return byte >= 0x80 && byte < 0xc0;
}

/** Bytes of the letter that begins so. */
function sizeOf(first = lost): number {
  if (first < 0xc0) return 1;
  if (first < 0xe0) return 2;
  return first < 0xf0 ? 3 : 4;
}
