/** Pure. Recognizes texts whose bytes were read in another encoding, and says what they were: the letters give their bytes back. */

import { hanziSigns, isMisreadHanzi } from './misread-hanzi.ts';

/** In place of a byte that the program before threw away. */
const lost = -1;
const questionMark = 0x3f;
/** Stands for letters that can no longer be known. */
const gap = '…';
/** Fewer letters are some text by chance. */
const leastLetters = 2;

/** Of Latin letters, of other letters, or of two bytes a letter. */
type Kind = 'latin' | 'other' | 'double';

/** As what UTF-8 is read by mistake. */
const labels: Readonly<Record<Kind, string>> = {
  latin: 'windows-1252 windows-1250 windows-1254 windows-1257 iso-8859-2 macintosh',
  other: 'windows-1251 windows-1253 iso-8859-5 iso-8859-7 ibm866 koi8-r x-mac-cyrillic',
  double: 'gbk big5 shift_jis euc-kr',
};
const kinds: readonly Kind[] = ['double', 'latin', 'other'];
/** The bits of those of two bytes, which are the first. */
const doubleMask = 0b1111;

/** The byte, or the two bytes, of each letter of an encoding that is not ASCII; 0 for those it has not. */
interface Letters {
  readonly codes: Uint16Array;
  readonly kind: Kind;
}

/** The encodings, each with a bit of its own in the masks: of letters that a misread letter begins with, and that go on with it. */
interface Encodings {
  readonly all: readonly Letters[];
  readonly starts: Uint32Array;
  readonly inners: Uint32Array;
}

let known: Encodings | null = null;

function encodings(): Encodings {
  if (known !== null) return known;
  const all = kinds.flatMap((kind) => labels[kind].split(' ').map((label) => lettersOf(label, kind)));
  const starts = new Uint32Array(1 << 16);
  const inners = new Uint32Array(1 << 16);
  for (const [at, { codes }] of all.entries()) {
    // All that is not ASCII: a million codes, which an iterator would take a second for.
    for (let letter = 0x80; letter < codes.length; letter += 1) {
      const code = inTable(codes, letter);
      if (code === 0) continue;
      const lead = code > 0xff ? code >> 8 : code;
      if (lead >= 0xc2 && lead <= 0xf4 && (code <= 0xff || isInner(code & 0xff)))
        starts[letter] = inTable(starts, letter) | (1 << at);
      if (isInner(lead) || code > 0xff) inners[letter] = inTable(inners, letter) | (1 << at);
    }
  }
  known = { all, starts, inners };
  return known;
}

function lettersOf(label: string, kind: Kind): Letters {
  const codes = new Uint16Array(1 << 16);
  const leads = range(0x80, 0xff);
  // Each code has a line of its own. Where the second byte is a line break, the code has one byte.
  const trails = kind === 'double' ? [0x0a, ...range(0x40, 0xfe)] : [0x0a];
  const bytes = new Uint8Array(leads.length * trails.length * 3).fill(0x0a);
  for (const [row, lead] of leads.entries()) {
    for (const [column, trail] of trails.entries()) {
      const at = (row * trails.length + column) * 3;
      bytes[at] = lead;
      bytes[at + 1] = trail;
    }
  }
  const decoded = new TextDecoder(label).decode(bytes).replaceAll('\n\n', '\n').split('\n');
  for (const [at, letter] of decoded.entries()) {
    const code = letter.charCodeAt(0);
    if (letter.length !== 1 || code === 0xfffd || codes[code] !== 0) continue;
    const trail = inTable(trails, at % trails.length);
    const lead = 0x80 + Math.floor(at / trails.length);
    codes[code] = trail === 0x0a ? lead : (lead << 8) | trail;
  }
  // The byte 0x80 is the euro sign, as Windows reads it; a single byte that is no letter stays as it is.
  if (label === 'gbk') codes[0x20ac] = 0x80;
  else if (kind !== 'double') for (const byte of range(0x80, 0x9f)) codes[byte] ||= byte;
  if (label === 'euc-kr') addHangul(codes);
  return { codes, kind };
}

/** Korean Windows has the other syllables, in their order, where EUC-KR has nothing. */
function addHangul(codes: Uint16Array): void {
  const trails = range(0x41, 0xfe).filter(
    (trail) => trail < 0x5b || (trail > 0x60 && trail < 0x7b) || trail > 0x80,
  );
  const free = range(0x81, 0xc6).flatMap((lead) =>
    trails.filter((trail) => lead < 0xa1 || trail < 0xa1).map((trail) => (lead << 8) | trail),
  );
  free.reverse();
  for (const syllable of range(0xac00, 0xd7a3)) codes[syllable] ||= Number(free.pop());
}

/** 0 for what the table has not. */
function inTable(table: ArrayLike<number>, at: number): number {
  return table[at] ?? 0;
}

function range(from: number, to: number): readonly number[] {
  return Array.from({ length: to - from + 1 }, (_, at) => from + at);
}

/** The text as it was, with `…` for what is lost; null where that is not certain. */
export function undamaged(text: string): string | null {
  for (const letters of encodings().all) {
    const read = readAs(text, letters);
    if (read === null || read.letters < leastLetters || read.letters <= read.gaps) continue;
    return isMisread(read.text) ? undamaged(read.text) : read.text;
  }
  return null;
}

/** UTF-8 that was read as another encoding, as it was. */
interface Reading {
  readonly text: string;
  /** Letters of several bytes. */
  readonly letters: number;
  /** Places where bytes are lost. */
  readonly gaps: number;
}

/** What the bytes of the text are in UTF-8; null where they are none. `isLoose` takes bytes for lost that are nowhere to be seen. */
function readAs(text: string, { codes }: Letters, isLoose = false): Reading | null {
  const bytes: number[] = [];
  for (let at = 0; at < text.length; at += 1) {
    const letter = text.charCodeAt(at);
    const code = letter < 0x80 ? letter : letter === 0xfffd ? lost : inTable(codes, letter);
    if (code === 0) return null;
    if (code > 0xff) bytes.push(code >> 8);
    bytes.push(code === lost ? lost : code & 0xff);
  }
  return readUtf8(bytes, isLoose);
}

function readUtf8(bytes: readonly number[], isLoose: boolean): Reading | null {
  let text = '';
  let letters = 0;
  let gaps = 0;
  let at = 0;
  while (at < bytes.length) {
    const first = bytes[at];
    const size = sizeOf(first);
    const end = endOfInner(bytes, at + 1, size - 1);
    const cut = bytes[end];
    const letter = first === lost || end < at + size ? null : letterOf(bytes.slice(at, end));
    if (letter !== null) {
      text += letter;
      if (size > 1) letters += 1;
      at = end;
    } else if (isLoose || first === lost || (end < at + size && isCut(cut))) {
      gaps += 1;
      if (gaps > letters && isLoose) return null;
      if (!text.endsWith(gap)) text += gap;
      at = endOfInner(bytes, first === lost || isLoose ? at + 1 : end + 1, bytes.length);
    } else return null;
  }
  return { text, letters, gaps };
}

/** The least letter of so many bytes. */
const leastOf: readonly number[] = [0, 0, 0x80, 0x800, 0x10000];

/** The letter of these bytes; null for none that UTF-8 has. */
function letterOf(bytes: readonly number[]): string | null {
  const first = inTable(bytes, 0);
  const inner = bytes.slice(1);
  const lead = inner.length === 0 ? first : first & (0x3f >> inner.length);
  const code = inner.reduce((before, byte) => (before << 6) | (byte & 0x3f), lead);
  const isOne = bytes.length > 1 ? code >= inTable(leastOf, bytes.length) : code < 0x80;
  return isOne && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff) ? String.fromCodePoint(code) : null;
}

/** True for what stands in place of a byte that the program before threw away. */
function isCut(byte: number | undefined): boolean {
  return byte === undefined || byte === lost || byte === questionMark;
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

const replaced = /\ufffd|锟斤|斤拷|烫烫|屯屯屯/;
/**
 * Whatever else the text has: bytes that are no letters of Windows-1252 (0x85 is a line break), and what becomes of frequent letters
 * in it, in Windows-1251, in code pages 437 and 850, which no decoder knows, and of quotation marks of GBK.
 */
const neverWritten =
  /[\x80-\x84\x86-\x9f]|â€|âˆ|вЂ|в€|[тв]А[УФЩШЬЭж]|[тв]ИЪ|[РС][µ†‡‚„€‹‰ѕїўљњџђћ][РС]|ðŸ|çš„|[ΓÔ]Ç[^\s\w]|[τþ]Üä|[├┬┼╧╬╨╤][^\x00-\x7f─-╿]|¡[¯°±®]|\w ¡[ÀÁÂÑÒÓÜÝ] [\w(]|\d¡ã/;
/** GBK, Big5 and Windows-1251 read as Windows-1252: no words have so many letters in a row that are not ASCII. */
const misreadLetters = [
  /(?<![\x80-\xff])(?=[¡-ÿ]*(?:[¡-¿][À-ÖØ-ÿ]|[À-ÖØ-ÿ][¡-¿]|[À-ÖØ-Þ][ß-ÿ]|[ß-ÿ][À-ÖØ-Þ]))(?:[¡-£°-÷][¡-þ])*(?:[°-×][¡-þ]){2}(?:[¡-£°-÷][¡-þ])*(?![\x80-\xff])/,
  /(?=(?:[¤-¿][@-~¡-þ]){0,2}[¤-¿][À-þ])(?:[¤-¿][@-~¡-þ]){3}/,
  /(?:[À-ÿ]{4}.*?){3}/,
];
/** Who asks about damaged text quotes it. */
const quoted = /[“"「『‘'`《][^“”"「」『』‘’'`《》]{1,8}[”"」』’'`》]/g;
const aboutDamage = /乱码|编码|unicode|encod|mojibake|utf-?8|gbk/i;

/** A cheap test: each of the signs above has one of these. */
const signLetters = `\x80\x81\x82\x83\x84\ufffd锟斤烫屯âðçÇÜЂ€¡АИµ†‡‚„‹‰ѕїўљњџђћ├┬┼╧╬╨╤${hanziSigns}`;
const misreadSigns = new Uint8Array(1 << 16).fill(1, 0x86, 0xa0);
for (const sign of signLetters) misreadSigns[sign.charCodeAt(0)] = 1;
/** Fewer letters of Windows-1252 are no misread word. */
const leastLatin = 4;

/** True for letters that stand for lost ones, or that come of reading a text in another encoding. */
export function isMisread(text: string): boolean {
  let from = 0;
  while (from < text.length && text.charCodeAt(from) < 0x80) from += 1;
  if (from === text.length) return false;
  const { all, starts, inners } = encodings();
  const isStart = inTable(starts, text.charCodeAt(from));
  const mayBe = isStart & (inTable(inners, text.charCodeAt(from + 1)) | doubleMask);
  return (
    hasMisreadSign(text, from) ||
    (mayBe !== 0 && all.some((letters, at) => (mayBe >> at) & 1 && isReadAs(text, letters)))
  );
}

function hasMisreadSign(text: string, from: number): boolean {
  let latin = 0;
  let hasSign = false;
  for (let at = from; at < text.length; at += 1) {
    const letter = text.charCodeAt(at);
    if (letter >= 0xa1 && letter <= 0xff) latin += 1;
    if (misreadSigns[letter] === 1) hasSign = true;
  }
  if (latin >= leastLatin && misreadLetters.some((each) => each.test(text))) return true;
  if (!hasSign) return false;
  if (neverWritten.test(text) || isMisreadHanzi(text)) return true;
  return replaced.test(text) && replaced.test(text.replace(quoted, '')) && !aboutDamage.test(text);
}

/** What often stands behind a letter: it makes no misread text of `É” or `Å²`. */
const afterLetters = /[\p{P}\s°²³¹±®™А-яЁёІіЄєЇїΑ-ώ]/u;
/** The first bytes of signs and of accented letters, read as encodings that have neither in the middle of a word. */
const latinLeads = /[ÂÃĂĀĆ√¬├┬]/;
/** Letters that people write. */
const likely =
  /[\u00a0-\u017f\u0391-\u03c9\u0401-\u0451\u05d0-\u05ea\u0621-\u064a\u0900-\u0e7f\u1e00-\u1eff\u2010-\u2044\u2070-\u27bf\u3000-\u30ff\u4e00-\u9fff\uac00-\ud7a3\uff00-\uffef]|\p{Extended_Pictographic}/u;
/** One letter, where it is at home. */
const oneAtHome =
  /[\w)}\]] ?[×÷±] ?[\w({[√π]|\d ?[°′″]|[\w)}\]][²³½π]|[√∠△] ?[\w({]|[a-z][ß-ÿœ](?!\p{Lu})|(?<!\p{Lu})[À-ÿ][a-z]|[a-z]’[a-z]|[–—“”‘’…≤≥≠≈∞→⊥∥∈€]/u;

/** Signs that stand between numbers in whatever encoding. */
const signAtHome = /\d ?[×÷] ?[\dx(]|\d°/;

/** True where its letters that are not ASCII were some of UTF-8, and are some that people write. */
function isReadAs(text: string, letters: Letters): boolean {
  const { codes, kind } = letters;
  // Letters that are no words of this alphabet may have lost some bytes.
  const read = readAs(text, letters, kind === 'latin');
  if (read === null) return false;
  const found = [...read.text].filter((letter) => letter > '\x7f');
  const good = found.filter((letter) => likely.test(letter));
  const bad = found.length - good.length + read.gaps;
  if (good.length <= (good.length > leastLetters && kind === 'latin' ? bad : 2 * bad)) return false;
  if (signAtHome.test(read.text)) return true;
  if (kind === 'double') return isMuchHan(good) || oneAtHome.test(read.text);
  const signs = [...text].filter(
    (letter) => isInner(codes[letter.charCodeAt(0)]) && !afterLetters.test(letter),
  );
  const isOdd = signs.some((letter) => !/\p{L}/u.test(letter));
  if (isOdd && good.some((letter) => han.test(letter))) return true;
  if (signs.length > 0 && good.length >= leastLetters) return true;
  return (signs.length > 0 || latinLeads.test(text)) && oneAtHome.test(read.text);
}

const han = /[\u3000-\u30ff\u4e00-\u9fff\uff00-\uffef]/;

/** True for letters that no text of another encoding becomes by chance. */
function isMuchHan(letters: readonly string[]): boolean {
  const long = letters.filter((letter) => letter >= '\u0800');
  return (
    long.length > leastLetters ||
    (long.length === leastLetters && long.every((letter) => han.test(letter))) ||
    letters.length >= 2 * leastLetters
  );
}
