/** Pure. Recognizes texts that an earlier program damaged: escapes that were read once too often or too seldom, another encoding. */

import { hanziSigns, isMisreadHanzi } from './misread-hanzi.ts';

/** What remains of a command whose `\t` became a tab. `an` and `au` are words as well: a formula stands around them. */
const afterTab =
  /\t(?:imes(?![a-z])|heta(?![a-z])|ext(?:bf|it|rm|sf|tt|color|style)?\{|ilde(?![a-z])|riangle(?![a-z])|frac[{\d]|anh?(?=[\t\\({^_$]| ?[a-zA-Zα-ω](?![\w-]))|au(?=[\t\\{^_$=+)}]| [=+])|o(?=[ \\{}$]|$)|op(?=[ }$]))/;
/** What remains after a line break; no line begins so. `eq 1:` does. */
const afterBreak =
  /[\r\n](?:abla(?![a-z])|rac\{|otin(?![a-z])|ight(?:[)\]}|.>\\]|arrow)|(?<=[^\s.?!:,;。，；：？！]\s?[\r\n])eq(?: ?[-\d\\{$]| [a-z](?![a-z]))(?![^\n]{0,8}:))/;
/** What lines may begin with, and formulas between dollars do not: these have one line. */
const insideFormula = /(?<![.?!:,;。，；：？！$\\\r\n])[\r\n](?:eq?|u|eg|ot|i|mid|ho|angle|m)(?![a-zA-Z])/g;

/** A cheap test: each of them has one of these. */
const control = /[\x08-\x0d]/;

/** True where LaTeX lost its backslashes: `\f`, `\t`, `\b`, `\n` were read as control characters. */
export function hasBrokenEscape(text: string): boolean {
  if (!control.test(text)) return false;
  if (/[\b\f\v]/.test(text)) return true;
  const hasTab = text.includes('\t');
  const hasBreak = text.includes('\n') || text.includes('\r');
  if (!(hasTab || hasBreak) || !/[$\\{]/.test(text)) return false;
  return (hasTab && afterTab.test(text)) || (hasBreak && (afterBreak.test(text) || hasBreakInFormula(text)));
}

/** True where such a line break is between the dollars of one formula, or between `\(` and `\)`. */
function hasBreakInFormula(text: string): boolean {
  let dollars = 0;
  let counted = 0;
  for (const { index } of text.matchAll(insideFormula)) {
    dollars += text.slice(counted, index).split('$').length - 1;
    counted = index;
    if (dollars % 2 === 1 && text.includes('$', index)) return true;
    if (text.lastIndexOf('\\(', index) > text.lastIndexOf('\\)', index)) return true;
  }
  return false;
}

/** Texts about code, regular expressions, encodings and paths show escapes as they are. */
const code =
  /[`;]\s*$|`|["'][^"'\n]*\\|\\\\?[dwsDWSb][+*?{\\[\]]|\b[A-Za-z]:\\|print|cout|echo|split|regex|escape|unicode|newline|正则|转义|编码|换行|字符串/i;
/** A letter that is not ASCII, written as its number. */
const letterNumber = /(?<!\\)\\u(?!00[0-7])[0-9a-fA-F]{4}/;
/** Two backslashes before the name of a command. In matrices they end a line, and a command after them has a third. */
const twoBackslashes =
  /(?<![\\:])\\\\(?:(?:[dt]?frac|sqrt|text|begin|end|math(?:rm|bf|bb|cal)|vec|overline)\s*[{[]|(?:left|right)\s*[([\\|.)\]]|(?:times|alpha|beta|gamma|theta|lambda|pi|sigma|omega|Delta|neq|leq?|geq?|cdot|div|pm|sum|int|lim|infty|angle|triangle|circ|sin|cos|tan|log|ln|rightarrow|Rightarrow|to|in|quad)(?![a-zA-Z]))/;
/** Commands of LaTeX that begin with an n, without it. */
const afterN =
  'abla|e|eq|u|ot|otin|eg|i|ewline|ewcommand|ewpage|exists|mid|parallel|olimits|onumber|otag|leq|geq|less|gtr|leqslant|geqslant|subset|subseteq|supset|supseteq|cong|sim|prec|succ|atural|earrow|warrow|oindent|ormalsize|ormalfont|ormal|orm|um|ode|ame|Vdash|VDash|vdash|vDash|leftarrow|rightarrow|Leftarrow|Rightarrow|leftrightarrow|Leftrightarrow|triangleleft|triangleright';
/** Between words, or before a numbered line; a macro of one's own stands before other signs. */
const writtenBreak = new RegExp(
  `[\\p{L}\\p{N}.,:;?!)。，？！：；）}$\\]] ?\\\\n(?:(?!(?:${afterN})(?![a-zA-Z]))[a-zA-Z]|\\s*[\\p{Script=Han}\\d]|[(（]|\\\\n)`,
  'u',
);

/** True for escapes that nothing reads any more: `\u00b2`, `\\frac`, `\n` between words. */
export function hasLeftOverEscape(text: string): boolean {
  if (!text.includes('\\')) return false;
  return (
    (letterNumber.test(text) || twoBackslashes.test(text) || writtenBreak.test(text)) && !code.test(text)
  );
}

const replaced = /\ufffd|锟斤|斤拷|烫烫|屯屯屯|[\x80-\x84\x86-\x9f]/;
/** What Windows-1252 makes of the later bytes of a letter, as far as it never follows a letter of a word. */
const neverAfter = '¢£¤¥¦¨¬¯±´µ¶¸¼½¾€ƒ†‡ˆ‰‹˜';
/** And what seldom does; quotation marks, dashes and blanks often do. */
const seldomAfter = `${neverAfter}¡§©ª®°²³·¹º¿›•™ŠŒŽšœžŸ`;
/** UTF-8 read as Windows-1252. `Å²` is a unit, `Â²` an operator of quantum mechanics. */
const misreadLetters = new RegExp(
  [
    `[ÃÐÑÎÏ][${seldomAfter}]`,
    `[ÄÅ][${neverAfter}º™š›Ÿ]`,
    'Ã[—«»\u00ad]|(?<=[\\w)\\s])Â[°·©®½¼¾±£]|(?<=[\\w)])Â[²³¹]',
    `[à-ï](?:[${neverAfter}²³¹][${seldomAfter}]|[${seldomAfter}][${neverAfter}])`,
    'â[€ˆ‰†‡Š]|çš„|ðŸ',
  ].join('|'),
);

/**
 * A cheap test: what is misread has a letter with a 1 here. The expressions look for each letter of a Chinese question among
 * 1,500.
 */
const misreadSigns = new Uint8Array(1 << 16).fill(1, 0x80, 0xa0).fill(1, 0xc2, 0xf1);
for (const sign of `\ufffd锟斤烫屯${hanziSigns}`) misreadSigns[sign.charCodeAt(0)] = 1;

function mayBeMisread(text: string): boolean {
  for (let at = 0; at < text.length; at += 1) if (misreadSigns[text.charCodeAt(at)] === 1) return true;
  return false;
}

/** True for letters that stand for lost ones, or that come of reading UTF-8 as another encoding. */
export function isMisread(text: string): boolean {
  return mayBeMisread(text) && (replaced.test(text) || misreadLetters.test(text) || isMisreadHanzi(text));
}

/** True for the field in which Word keeps a formula: `EQ \f(1,2)`. */
export function hasWordField(text: string): boolean {
  return text.includes('\\') && /\bEQ\s*\\[afrsoxbdli](?![a-z])[^()\n]{0,12}\(/i.test(text);
}

/** True for letters that only one font can show: those of Symbol, of Wingdings, of MathType. */
export function hasPrivateLetter(text: string): boolean {
  return /[\ue000-\uf8ff]/.test(text);
}
