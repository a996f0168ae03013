/**
 * Recognizes encodings that write letters of other languages as ASCII, between escapes: the bytes say nothing, and what
 * stands between the escapes would be paid for.
 */

import { countHanzi } from '../../text/common-hanzi.ts';
import { firstWords } from './likely-encodings.ts';
import { decodeStrictly } from './strict-text.ts';

/** An encoding by its escapes. */
export interface SevenBit {
  /** Name for people. */
  readonly name: string;
  /** What `--encoding` takes; null where `TextDecoder` cannot read it. */
  readonly label: string | null;
  /** The first words by it; '' where they are not known. */
  readonly words: string;
  /** Where its first escape is. */
  readonly at: number;
}

/** Which encoding an ASCII text is written in; null for plain text. It is asked of every block: cheap tests come first. */
export function sevenBitIn(text: string): SevenBit | null {
  return isoIn(text) ?? hzIn(text) ?? utf7In(text);
}

/** Escapes that announce letters of two bytes. Those of terminals (colours, `ESC ( B`) do not. */
const isoEscapes: readonly {
  readonly name: string;
  readonly sign: RegExp;
  readonly label: string | null;
}[] = [
  { name: 'ISO-2022-JP', sign: /\x1b\$(?:[@B]|\([@BDOQ])/, label: 'iso-2022-jp' },
  { name: 'ISO-2022-KR', sign: /\x1b\$\)C/, label: null },
  { name: 'ISO-2022-CN', sign: /\x1b\$[)*][A-KM]/, label: null },
];

function isoIn(text: string): SevenBit | null {
  if (!text.includes('\x1b$')) return null;
  for (const { name, sign, label } of isoEscapes) {
    const at = text.search(sign);
    if (at < 0) continue;
    const line = Buffer.from(text.slice(at).split(/[\r\n]/, 1)[0] ?? '', 'latin1');
    return { name, label, words: label === null ? '' : firstWords(decodeStrictly(label, line) ?? ''), at };
  }
  return null;
}

/** Fewer characters than this are a formula by chance. */
const leastHanzi = 2;

/** Pairs of GB 2312 without their high bits: `~{VPND~}`. */
function hzIn(text: string): SevenBit | null {
  if (!text.includes('~{')) return null;
  const runs = [...text.matchAll(/~\{((?:[!-w][!-~])+?)~\}/g)];
  const bytes = Buffer.from(runs.map(([, pairs]) => pairs).join(''), 'latin1').map((byte) => byte | 0x80);
  const words = decodeStrictly('gb18030', bytes) ?? '';
  const { common, all } = countHanzi(words);
  if (all < leastHanzi || common * 2 < all) return null;
  return { name: 'HZ-GB-2312', label: null, words: firstWords(words), at: runs[0]?.index ?? 0 };
}

/** Fewer letters or runs than this are a formula by chance. */
const leastLetters = 3;
const leastRuns = 2;

const written =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]|[\u00c0-\u052f\u05d0-\u064a]/u;
/** What is written so besides letters: signs of ASCII, punctuation, full-width forms. */
const unitOfText =
  /[\t\r\n -~\u00a0-\u064a\u1e00-\u27bf\u3000-\u30ff\uff00-\uffee]|\p{Script=Han}|\p{Script=Hangul}/u;

/** UTF-16 in base64: `+VGhSSA-`. There every plus is one; a plus of its own is written `+-`. */
function utf7In(text: string): SevenBit | null {
  if (!text.includes('+')) return null;
  let words = '';
  let runCount = 0;
  let at = 0;
  for (const { 1: run = '', 2: end, index } of text.matchAll(/\+([A-Za-z0-9+/]*)(-?)/g)) {
    if (run === '' && end === '-') continue;
    const letters = fromUtf7(run);
    if (letters === null || ![...letters].every((letter) => unitOfText.test(letter))) return null;
    if (!written.test(letters)) continue;
    if (runCount === 0) at = index;
    runCount += 1;
    if (words.length < 100) words += letters;
  }
  const found = [...words].filter((letter) => written.test(letter));
  const hanzi = found.filter((letter) => /\p{Script=Han}/u.test(letter));
  const isPlain = runCount < leastRuns || found.length < leastLetters;
  if (isPlain || countHanzi(hanzi.join('')).common * 2 < hanzi.length) return null;
  return { name: 'UTF-7', label: null, words: firstWords(words), at };
}

/** The letters of such a run; null for another text. Bits that are left over are zero. */
function fromUtf7(run: string): string | null {
  const bytes = Buffer.from(run, 'base64');
  const size = bytes.length - (bytes.length % 2);
  const isWhole = Buffer.from(bytes.subarray(0, size)).toString('base64').replace(/=+$/, '') === run;
  return isWhole && size > 0 ? decodeStrictly('utf-16be', bytes.subarray(0, size)) : null;
}
