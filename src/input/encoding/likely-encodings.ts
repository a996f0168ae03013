/**
 * Says of bytes that are not UTF-8 whether they are Chinese, and which encodings read them as a language. Nearly all bytes
 * of Korean, Japanese, Arabic or Russian texts are valid GB18030 too: what comes out is mostly rare characters, and would be
 * paid for.
 */

import { countHanzi } from '../../text/common-hanzi.ts';
import { decodeStrictly } from './strict-text.ts';

/** An encoding that reads the bytes as a language. */
interface LikelyEncoding {
  /** What `--encoding` takes. */
  readonly label: string;
  /** The first words by it. */
  readonly sample: string;
}

/** Fewer rare characters than this may be the words of a short Chinese list. */
const leastRare = 30;

/** True for bytes that are Chinese by this encoding, whatever others make of them. */
export function isChinese(bytes: Uint8Array, likely: readonly LikelyEncoding[]): boolean {
  const { common, all } = countHanzi(decodeStrictly('gb18030', bytes) ?? '');
  if (common * 2 >= all) return true;
  return likely.length === 0 && (all < leastRare || common * 8 >= all);
}

/** Signs that stand between words of any language. */
const signs = /[\0-\x7f\u00a0«»„“”‘’–—…°§№،؛؟\u3000-\u303f\uff00-\uff60]/u;

/** Letters of a text that are neither ASCII nor signs, and how many of them are of a script. */
function lettersOf(text: string, script: RegExp): { readonly count: number; readonly share: number } {
  const letters = [...text].filter((letter) => !signs.test(letter));
  const count = letters.filter((letter) => script.test(letter)).length;
  return { count, share: count / Math.max(1, letters.length) };
}

/** Fewer letters than this are some script's by chance, where each byte is one. */
const leastLetters = 6;

/** Words of a script whose letters are one byte each. Other bytes become signs, capitals inside of words, or stand among ASCII. */
const isWritten =
  (script: RegExp) =>
  (text: string): boolean => {
    const { count, share } = lettersOf(text, script);
    if (count < leastLetters || share < 0.95) return false;
    const small = text.match(/\p{Ll}/gu)?.length ?? 0;
    const capitals = text.match(/\p{Lu}/gu)?.length ?? 0;
    const odd = text.match(/(?<=\p{Ll})\p{Lu}|(?<=[a-z])[^\0-\x7f]|[^\0-\x7f](?=[a-z])/gu)?.length ?? 0;
    return odd * 10 < count && capitals <= small;
  };

/** Without the signs of Thai that texts do not have, and with its marks above a letter only. */
const isThai = (text: string): boolean => isWritten(/[ก-ฮะ-ฺเ-ๆ็-ํ]/u)(text) && !/(?<![ก-ฮะ-ํ])[ัิ-ฺ็-ํ]/u.test(text);

/** Signs and letters of the West, few of them together, and no capital or sign inside of a word. */
const isWestern = (text: string): boolean =>
  /[a-z][^\0-\x7f]|[À-ÿ“‘][a-z]/i.test(text) &&
  !/[^\0-\x7f\u00a0-\u00bf×÷À-ÖØ-öø-ÿŒœŠšŽž‚„‹›‘’“”–—…€•™√≤≥≠≈π∞Ω]|(?<=\p{Ll})(?:\p{Lu}|[¡£-¦¨¬-¯¶¸](?!\d))|[¡-©¬-¯¶¸Ω√∞π](?=\p{Ll})|[^\0-\x7f]{4}/mu.test(
    text,
  );

const isKorean = (text: string): boolean => {
  const { count, share } = lettersOf(text, /\p{Script=Hangul}/u);
  return count > 1 && share >= 0.9;
};

const isJapanese = (text: string): boolean => {
  const kana = lettersOf(text, /[\u3040-\u30ff]/u);
  const all = lettersOf(text, /[\u3040-\u30ff\p{Script=Han}]/u);
  return all.count > 1 && all.share >= 0.9 && (kana.share >= 0.2 || isFrequent(text));
};

const isFrequent = (text: string): boolean => {
  const { common, all } = countHanzi(text);
  return all > 2 && common * 2 >= all;
};

/** Greek and Hebrew before Russian: their bytes are small Russian letters too, and not the other way round. */
const encodings: readonly { readonly label: string; readonly isLanguage: (text: string) => boolean }[] = [
  { label: 'shift_jis', isLanguage: isJapanese },
  { label: 'euc-jp', isLanguage: isJapanese },
  { label: 'euc-kr', isLanguage: isKorean },
  { label: 'big5', isLanguage: isFrequent },
  { label: 'windows-1256', isLanguage: isWritten(/\p{Script=Arabic}/u) },
  { label: 'windows-1255', isLanguage: isWritten(/[א-ת]/u) },
  { label: 'windows-1253', isLanguage: isWritten(/\p{Script=Greek}/u) },
  { label: 'windows-874', isLanguage: isThai },
  { label: 'windows-1251', isLanguage: isWritten(/\p{Script=Cyrillic}/u) },
  { label: 'koi8-r', isLanguage: isWritten(/\p{Script=Cyrillic}/u) },
  { label: 'windows-1252', isLanguage: isWestern },
  { label: 'macintosh', isLanguage: isWestern },
];

const shownEncodings = 3;

/** The encodings that read all of these bytes as a language; the likeliest first. */
export function likelyEncodings(bytes: Uint8Array): readonly LikelyEncoding[] {
  return encodings
    .flatMap(({ label, isLanguage }) => {
      const text = decodeStrictly(label, bytes);
      return text !== null && isLanguage(text)
        ? [{ label, sample: isLanguage === isWestern ? firstWestern(text) : firstWords(text) }]
        : [];
    })
    .slice(0, shownEncodings);
}

/** The first word with an accent or another sign. */
function firstWestern(text: string): string {
  return /[\p{L}’]{0,20}[^\0-\x7f][\p{L}’]{0,20}/u.exec(text)?.[0] ?? '';
}

/** The bytes by this encoding, for a message. */
export function sampleAs(label: string, bytes: Uint8Array): string {
  return firstWords(new TextDecoder(label).decode(bytes));
}

/** The first words that are not ASCII: those may be a link with a secret. */
export function firstWords(text: string): string {
  return /[^\0-\x7f](?:[^\0-\x7f]| (?=[^\0-\x7f])){0,19}/.exec(text)?.[0] ?? '';
}
