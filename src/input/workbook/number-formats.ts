/** Shows numbers, dates, times and texts as the sheet shows them by a format code. */

/** How values are shown: the functions of a library that is loaded only for workbooks. */
export interface NumberLibrary {
  /** Shows a value by a format code such as `0.00`, `yyyy-mm-dd` or `@" cm"`. Throws for a code that is none. */
  readonly format: (code: string, value: number | string) => string;
  readonly isDate: (code: string) => boolean;
}

/**
 * Formats without a code in the file. Dates whose order depends on the machine (14 to 17, 22) are shown in the order
 * that is the same everywhere, and amounts of money (5 to 8, 41 to 44) without a sign: the file does not say whose money
 * it is. The numbers from 27 to 36 and from 50 on are those of Chinese Excel.
 */
const builtIn: Readonly<Record<number, string>> = {
  1: '0',
  2: '0.00',
  3: '#,##0',
  4: '#,##0.00',
  5: '#,##0_);(#,##0)',
  6: '#,##0_);(#,##0)',
  7: '#,##0.00_);(#,##0.00)',
  8: '#,##0.00_);(#,##0.00)',
  9: '0%',
  10: '0.00%',
  11: '0.00E+00',
  12: '# ?/?',
  13: '# ??/??',
  14: 'yyyy-mm-dd',
  15: 'd-mmm-yy',
  16: 'd-mmm',
  17: 'mmm-yy',
  18: 'h:mm AM/PM',
  19: 'h:mm:ss AM/PM',
  20: 'h:mm',
  21: 'h:mm:ss',
  22: 'yyyy-mm-dd h:mm',
  27: 'yyyy"年"m"月"',
  28: 'm"月"d"日"',
  29: 'm"月"d"日"',
  30: 'm-d-yy',
  31: 'yyyy"年"m"月"d"日"',
  32: 'h"时"mm"分"',
  33: 'h"时"mm"分"ss"秒"',
  34: '上午/下午h"时"mm"分"',
  35: '上午/下午h"时"mm"分"ss"秒"',
  36: 'yyyy"年"m"月"',
  37: '#,##0_);(#,##0)',
  38: '#,##0_);(#,##0)',
  39: '#,##0.00_);(#,##0.00)',
  40: '#,##0.00_);(#,##0.00)',
  41: '#,##0_);(#,##0)',
  42: '#,##0_);(#,##0)',
  43: '#,##0.00_);(#,##0.00)',
  44: '#,##0.00_);(#,##0.00)',
  45: 'mm:ss',
  46: '[h]:mm:ss',
  47: 'mm:ss.0',
  48: '##0.0E+0',
  49: '@',
  50: 'yyyy"年"m"月"',
  51: 'm"月"d"日"',
  52: 'yyyy"年"m"月"',
  53: 'm"月"d"日"',
  54: 'm"月"d"日"',
  55: '上午/下午h"时"mm"分"',
  56: '上午/下午h"时"mm"分"ss"秒"',
  57: 'yyyy"年"m"月"',
  58: 'm"月"d"日"',
};

/** Days from 1900 to 1904, where old Mac workbooks begin to count. */
const daysTo1904 = 1462;

/** The languages of words for the halves of the day. */
const languages: Readonly<Record<string, string>> = {
  '上午/下午': '804',
  '午前/午後': '411',
  '오전/오후': '412',
};

/** The code of the format with this number; null for one that shows values as they are. */
export function codeOf(id: number, codes: ReadonlyMap<number, string>): string | null {
  const code = codes.get(id) ?? builtIn[id];
  return code === undefined || /^\s*(general|@)\s*$/i.test(code) ? null : inLibraryWords(code);
}

/** Texts, escaped letters and notes in brackets of a code, which are left alone; else a word that the library lacks. */
const foreignWords = /("[^"]*"|\\.|\[[^\]]*\])|(上午\/下午|午前\/午後|오전\/오후)|G\/(?:通用格式|標準|표준)/g;

/** The code in the words of the library: programs of East Asia write some in their own. */
function inLibraryWords(code: string): string {
  const known = code.replace(foreignWords, (_, left?: string, half?: string) => {
    if (left !== undefined) return left;
    return half === undefined ? 'General' : `[$-${languages[half]}]AM/PM`;
  });
  const bare = withoutTexts(known);
  if (!bare.includes('@') || bare.includes(';')) return known;
  // A code for texts alone shows numbers too.
  const number = known.replace(/("[^"]*"|\\.|\[[^\]]*\])|@/g, (_, left?: string) => left ?? 'General');
  return `${number};-${number};${number};${known}`;
}

/** How a cell shows values; as nothing where its format hides them. */
export interface Show {
  readonly number: (value: number) => string;
  readonly text: (text: string) => string;
}

/** How values are shown by a code; null: by none. `is1904`: dates count from 1904. */
export function createShow(code: string | null, { format, isDate }: NumberLibrary, is1904: boolean): Show {
  const unchanged = (text: string): string => text;
  const nothing = (): string => '';
  if (code === null) return { number: plainNumber, text: unchanged };
  const formatted = (value: number | string): string => {
    try {
      return format(code, value).trim();
    } catch {
      return '';
    }
  };
  const shown = (value: number, number: number): string => {
    const text = formatted(number);
    // A format may hide a number, or write a dash for zero; the number itself is what its writer typed.
    return /^[\p{Sc}\s#-]*$/u.test(text) ? plainNumber(value) : text;
  };
  const sample = formatted('x');
  const addsToText = sample !== 'x' && sample.includes('x');
  const hidden = hiddenBy(code);
  const shownText = addsToText ? (written: string): string => formatted(written) || written : unchanged;
  const text = hidden.hasTexts ? nothing : shownText;
  if (hidden.hasNumbers) return { number: nothing, text };
  const own = (value: number): string => shown(value, value);
  if (!isDate(code)) return { number: own, text };
  if (isCalendar(code)) return { number: (value) => shown(value, value + (is1904 ? daysTo1904 : 0)), text };
  // The library takes a negative time for one of the day before. A code with a part for negative numbers is left to it.
  const isUnsigned = !withoutTexts(code).replace(/;@?$/, '').includes(';');
  return { number: (value) => (value < 0 && isUnsigned ? `-${own(-value)}` : own(value)), text };
}

/** A format without texts, escaped letters and notes in brackets, but for those of elapsed time such as `[h]`. */
function withoutTexts(code: string): string {
  return code.replace(/"[^"]*"|\\.|_.|\*.|\[(?!(?:h+|m+|s+)\])[^\]]*\]|AM\/PM|A\/P/gi, '');
}

/** What a code of empty parts hides: all numbers, as `;;` does, and the texts, as `0;0;0;` does. */
function hiddenBy(code: string): { readonly hasNumbers: boolean; readonly hasTexts: boolean } {
  if (!code.includes(';')) return { hasNumbers: false, hasTexts: false };
  const parts = code.replace(/"([^"]*)"|\\(.)|_.|\*./g, (_, text = '', letter = '') =>
    (text + letter).trim() === '' ? '' : 'x',
  );
  const isEmpty = parts.split(';').map((part) => part.replace(/\[(?![<>=])[^\]]*\]/g, '').trim() === '');
  return {
    hasNumbers: isEmpty.length > 2 && isEmpty.slice(0, 3).every(Boolean),
    hasTexts: isEmpty[3] === true,
  };
}

/** True for a format of dates that shows a day, month or year: only these count from the first day of the calendar. */
function isCalendar(code: string): boolean {
  const bare = withoutTexts(code);
  return /[yde]|g{2,}|a{3,}|m{3,}/i.test(bare) || !/[hs]|\[m+\]/i.test(bare);
}

/** With the 15 digits that spreadsheets keep, and without the digits that binary fractions add. */
function plainNumber(value: number): string {
  const rounded = Number(value.toPrecision(15));
  const text = String(Math.abs(rounded) < 1e15 && Math.abs(rounded) >= 1e-6 ? rounded : value);
  return text;
}
