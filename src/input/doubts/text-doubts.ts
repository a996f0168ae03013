/** Pure. Recognizes texts of which a part is lost, or was never filled in. */

/** What programs fill in before anybody reads it; each may be asked about, and some are mathematics. */
const placeholders: readonly { readonly sign: RegExp; readonly least?: number; readonly not?: RegExp }[] = [
  {
    // Sets of one element, sequences and fractional parts are written so too.
    sign: /(?<![\\^_}\w$#]|\]\s?)\{(?:[a-zA-Z]\w*|\d)\}(?!\{)/g,
    least: 2,
    not: /[\\$]|\{[a-zA-Z]_?n(?:_?[+-]?\d)?\}|[∪∩⊂⊆∈∉∅]|\b(?:sub)?sets?\b|union|element|fraction|sequence|集|元素|数列|小数部分/i,
  },
  {
    sign: /(?<!\S)\{(?:(?:num|name|question|answer|number|value|var|topic|title|city|username|firstname|lastname|date)_?\d*|题目|答案|姓名|数字|变量)\}/gi,
  },
  {
    sign: /(?<!\S)\[(?:[xyznmk] ?\] (?!is\b|are\b|and\b|or\b|be\b|denotes|means|for\b|where\b|in\b)[a-z]+|(?:your |first |last )?name\]|insert [^\]\n]{1,40}\])/gi,
    least: 2,
  },
  { sign: /\{@[^@{}\n]+@\}|\{=[^{}\n]*\{\w+\}|\{\d{0,3}:[A-Z_]{2,16}:|\{\{c\d+::|<%=?\s*[\w@.]+.*?%>/g },
  { sign: /(?<![\\^_}\w])\{\{\s*[a-zA-Z\p{Script=Han}][\w.\p{Script=Han}]+\s*\}\}/gu },
  { sign: /«(?=[^»]*(?:[a-z][A-Z]|_))\w+»/g },
  {
    sign: /(?<=^|\s)\[\[\d{1,2}\]\](?=$|[\s.,;?!])/g,
    not: /array|matri|determinant|inverse|list|vector|rank|index|数组|矩阵|列表|行列式/i,
  },
  {
    sign: /(?<![\d%\w])%(?:[dsf]|\(\w+\)[ds])(?!\w)/g,
    least: 2,
    not: /mean|stand|differ|specifier|printf|scanf|format|between|python|格式|区别|含义/i,
  },
  { sign: /\$\{[a-zA-Z_]\w*\}/g },
  {
    sign: /(?<!\S)<<\s*[a-zA-Z_]\w{2,}\s*>>/g,
    not: /uml|stereotype|interface|abstract|include|extend|enumeration/i,
  },
];
/** A cheap test: each of them has one of these. */
const placeholderSign = /\{[\w{@:=\p{Script=Han}]|\[\[?[a-z\d]|«|%[a-z(]|<[<%]/iu;
const aboutPlaceholders =
  /`|template|placeholder|vue|angular|react|jinja|handlebars|mustache|django|liquid|javascript|\bjs\b|python|\berb\b|\bjsp\b|\bphp\b|printf|f-string|cloze|anki|mail merge|latex|regex|模板|占位|插值|代码|语法|程序|字符串/i;

/** True for a text with a place that a program was to fill in. */
export function hasPlaceholder(text: string): boolean {
  if (!placeholderSign.test(text)) return false;
  const isThere = placeholders.some(({ sign, least = 1, not }) => {
    const count = [...text.matchAll(sign)].length;
    if (count < least || not?.test(text)) return false;
    // LaTeX has a dollar behind its formula as well.
    return !(text.includes('${') && /\$(?!\{[a-zA-Z_]\w*\})/.test(text));
  });
  return isThere && !aboutPlaceholders.test(text);
}

/** In words; who writes without blanks has words before and behind a question mark, and one mark. */
const lostInWord = /\p{L}\?{1,2}\p{Ll}{2,}|(?<!\S)\?\p{Ll}{2,}|['’]\?\p{Ll}/gu;
const surelyInWord = /(?<!\p{L})\p{L}?\?\p{Ll}{2,}|\p{L}\?\?\p{Ll}{2,}/u;
/** Before a formula, around a number, and between letters, where no question ends and nothing is to be found out. */
const lostBefore =
  /^\?{2,} ?(?:\d+ ?[-+*/×÷]|[a-zA-Z]\([a-z]\)|[a-z] ?[=+^])|^\?{3,}[a-zA-Z(]|\?{3,}[\da-zA-Z(][^?\s]*\?{3,}|^\?{1,2}\d?[a-zA-Z].*\?{2}/;
const lostBetween = /(?<=[\p{L}\d)])(?<![a-z]{3})\?{2,}(?=[\p{L}(])/gu;
const aboutMarks =
  /`|:\/\/|fill|missing|blank|letter|spell|regex|wildcard|pattern|填|字母|通配|正则|[;{}]|\bnull\b/i;

/** True for a text whose letters became question marks. */
export function hasLostLetters(text: string): boolean {
  if (text.indexOf('?') === text.lastIndexOf('?') || !/\?\S/.test(text) || aboutMarks.test(text))
    return false;
  if (surelyInWord.test(text) && [...text.matchAll(lostInWord)].length > 1) return true;
  return text.includes('??') && (lostBefore.test(text) || [...text.matchAll(lostBetween)].length > 1);
}

/** What Chinese and English have a formula between. */
const lostFormula =
  /(?:^|[，,。；;：:、\s])(?:若|设|已知(?:函数|向量|数列|集合|实数|复数|方程|不等式|直线|椭圆|抛物线|双曲线)?|且|当)[，,、]|[，,]则(?:的|与的|[，,])|，\s*，(?=[^。]*(?:则|求|且))|(?:^|[.!?]\s+)(?:If|Let|Given(?: that)?|Suppose(?: that)?) [,.](?=\s)/;
const mayLackFormula = /[若设知且当则，]|[a-z] [,.]/;
/** Pasted as text, as LaTeX and as text again. */
const threeTimes = /(?<![!-~])([!-~]{3,80}?)([!-~]{3,80}?)\1(?![!-~])/;

/** True where formulas are gone, or stand there three times. */
export function hasBadFormula(text: string): boolean {
  if (mayLackFormula.test(text) && lostFormula.test(text)) return true;
  if (text.includes('$') || !(text.includes('^') || text.includes('_') || text.includes('='))) return false;
  if (text.length < 12) return false;
  const [, plain = '', marked = ''] = threeTimes.exec(text) ?? [];
  const [bare, other] = [plain, marked].map((each) => each.replace(/[\\^_{}]|left|right/g, ''));
  return (
    bare === other &&
    /[a-z\d]/i.test(plain[0] ?? '') &&
    (plain !== marked || (plain.includes('=') && /\w$/.test(plain)))
  );
}

const sum = /^(?=[-\d\s.,+*/×÷^()=?？:]+$)(?=.*\d).*[-+*/×÷^:]/;
const month: string = '(?:Jan|Feb|Mar|Apr|May|June?|July?|Aug|Sept?|Oct|Nov|Dec)';
/** As spreadsheets write what looked like one. */
const dateAlone = new RegExp(
  `^(?:\\d{1,2}月\\d{1,2}日|\\d{4}年\\d{1,2}月(?:\\d{1,2}日)?|(?:\\d{1,4}-)?${month}(?:-\\d{1,4})?|\\d{1,2}-${month}(?:-\\d{2,4})?|(?:19|20)\\d\\d[-/]\\d{1,2}[-/]\\d{1,2}(?: 0?0:00(?::00)?)?)$`,
);

/** True for an exercise of numbers and signs alone. */
export function isSum(text: string): boolean {
  return text.length <= 40 && sum.test(text) && !isDateAlone(text);
}

/** True for a date alone, as spreadsheets write it. */
export function isDateAlone(text: string): boolean {
  return text.length <= 20 && dateAlone.test(text.trim());
}

const ends = /[.?!。？！…:：;；)）\]】}"”’'»》」=＝_$%]\s*$/;
/** True for a text without an end. */
export function isOpenEnded(text: string): boolean {
  return !ends.test(text);
}

/** At what length programs cut texts. The shorter ones are the length of some texts by chance. */
const limits: ReadonlySet<number> = new Set([
  64, 100, 120, 128, 140, 150, 160, 200, 250, 254, 255, 256, 300, 400, 500, 511, 512, 1000, 1023, 1024, 2000,
  2047, 2048, 3000, 4000, 4095, 4096, 5000, 8000, 8191, 8192, 10_000, 16_383, 32_000, 32_766, 32_767, 65_535,
]);
const surelyCut = 250;
const leastCut = 3;

/** Sees where the texts of a file were cut: where several have one greatest length, and no end. */
export class CutTexts {
  #length = 0;
  #open = 0;
  #ended = 0;
  #ends = new Set<string>();

  add(text: string): void {
    if (text.length < this.#length || text.length < 64) return;
    if (text.length > this.#length) {
      this.#length = text.length;
      this.#open = 0;
      this.#ended = 0;
      this.#ends.clear();
    }
    if (ends.test(text)) this.#ended += 1;
    else this.#open += 1;
    if (this.#ends.size < leastCut) this.#ends.add(text.slice(-8));
  }

  /** The length; null where none were. */
  get at(): number | null {
    if (!limits.has(this.#length) || this.#open < leastCut || this.#ended * 2 > this.#open) return null;
    return this.#length >= surelyCut || this.#ends.size >= leastCut ? this.#length : null;
  }
}

/** True for U+FFFC, in whose place an object stood, and for control characters that no text has. */
export function hasControl(text: string): boolean {
  return /[\x00-\x07\x0e-\x1f\x7f\ufffc]/.test(text);
}
