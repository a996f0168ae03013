/** Shows numbers, dates and times as the sheet shows them. */

import { readPart } from './parts.ts';
import type { Attributes } from './xml.ts';
import type { Package, Part } from './zip.ts';

/** Shows a number by a format code such as `0.00` or `yyyy-mm-dd`. */
export type FormatNumber = (code: string, value: number) => string;

/** The text of a number in a cell with this style. */
export type ShowNumber = (value: number, style: number) => string;

/**
 * Formats without a code in the file. Dates whose order depends on the machine (14 to 17, 22) are shown in the order
 * that is the same everywhere. The numbers from 27 on are those of Chinese Excel.
 */
const builtIn: Readonly<Record<number, string>> = {
  1: '0',
  2: '0.00',
  3: '#,##0',
  4: '#,##0.00',
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
  36: 'yyyy"年"m"月"',
  37: '#,##0_);(#,##0)',
  38: '#,##0_);(#,##0)',
  39: '#,##0.00_);(#,##0.00)',
  40: '#,##0.00_);(#,##0.00)',
  45: 'mm:ss',
  46: '[h]:mm:ss',
  47: 'mm:ss.0',
  48: '##0.0E+0',
  49: '@',
  50: 'yyyy"年"m"月"',
  57: 'yyyy"年"m"月"',
  58: 'm"月"d"日"',
};

/** Days from 1900 to 1904, where old Mac workbooks begin to count. */
const daysTo1904 = 1462;

/** Reads the formats of the cells' styles. `is1904`: dates count from 1904. */
export async function readNumberFormats(
  source: Package,
  part: Part | null,
  {
    format,
    isDate,
    is1904,
  }: {
    readonly format: FormatNumber;
    readonly isDate: (code: string) => boolean;
    readonly is1904: boolean;
  },
): Promise<ShowNumber> {
  const codes = new Map<number, string>();
  const formats: number[] = [];
  let isCells = false;
  if (part !== null) {
    await readPart(source, part, {
      open(name, attributes: Attributes) {
        if (name === 'cellXfs') isCells = true;
        else if (name === 'xf' && isCells) formats.push(Number(attributes.numFmtId ?? 0));
        else if (name === 'numFmt')
          codes.set(Number(attributes.numFmtId), (attributes.formatCode ?? '').slice(0, 1_000));
      },
      close(name) {
        if (name === 'cellXfs') isCells = false;
      },
      text() {},
    });
  }
  const codeOf = (style: number): string | null => {
    const id = formats[style] ?? 0;
    const code = codes.get(id) ?? builtIn[id];
    return code === undefined || /^\s*(general|@)\s*$/i.test(code) ? null : code;
  };
  const shown = (code: string, value: number, number: number): string => {
    try {
      const text = format(code, number).trim();
      // A format may hide a number; the number itself is what its writer typed.
      return text === '' || /^#+$/.test(text) ? plainNumber(value) : text;
    } catch {
      return plainNumber(value);
    }
  };
  return (value, style) => {
    const code = codeOf(style);
    if (code === null) return plainNumber(value);
    if (!isDate(code)) return shown(code, value, value);
    if (isCalendar(code)) return shown(code, value, value + (is1904 ? daysTo1904 : 0));
    // The library takes a negative time for one of the day before. A code with a part for negative numbers is left to it.
    const isMinus = value < 0 && !withoutTexts(code).replace(/;@?$/, '').includes(';');
    return isMinus ? `-${shown(code, -value, -value)}` : shown(code, value, value);
  };
}

/** A format without texts, escaped letters and notes in brackets, but for those of elapsed time such as `[h]`. */
function withoutTexts(code: string): string {
  return code.replace(/"[^"]*"|\\.|_.|\*.|\[(?!(?:h+|m+|s+)\])[^\]]*\]|AM\/PM|A\/P/gi, '');
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
