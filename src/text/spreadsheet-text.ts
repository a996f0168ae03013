/**
 * Defuses cells that a spreadsheet would run as a formula, with a leading `'`, and undoes it. `undoDefuse(defuse(cell))
 * === cell` for every cell, so that `failed.csv` can be mended and fed back.
 */

/** What starts a formula, after white space and invisible characters. */
const sign = '[=+\\-@\\uff1d\\uff0b\\uff0d\\uff20|%]';

/** A number may follow a semicolon, as in `(1;-2)`: there a sign starts a formula only before something that acts. */
const signOfCall = '(?:[=@\\uff1d\\uff20]|[+\\-\\uff0b\\uff0d](?=[^;\\t\\n\\r]*[(|!#]))';

const blank = "[\\p{Z}\\p{C}']*";
/** Up to one of these, and past the quotes that a reader with another separator removes. */
const blankUpTo = (ends: string): string => `(?:(?![${ends}])[\\p{Z}\\p{C}"'])*`;

const formulaStart = new RegExp(`^(?:${blank}${sign}|'*[\\t\\r])`, 'u');

/**
 * Places inside a cell where a formula begins for a spreadsheet that splits at semicolons or tabs: it ignores our
 * quotes, so a line break also ends a row. The groups hold what stands before the mark: Safari 15 cannot look behind.
 */
const startInside = (mark: string): RegExp =>
  new RegExp(
    `([\\n\\r])${mark}(?=${blankUpTo('\\n\\r')}${sign})|` +
      `([;\\t])${mark}(?=${blankUpTo('\\n\\r\\t')}${signOfCall})`,
    'gu',
  );
/** Most cells begin with a letter or number and contain no separator: this check makes defusing twice as fast. */
const mayBeFormula = /^[^\p{L}\p{N}]|[\n\r;\t]/u;
const toDefuse = startInside('');
const toUndo = startInside("'");

/**
 * The cell with `'` before each formula that a spreadsheet would find in it, and then also in front of the whole cell.
 */
export function defuse(cell: string): string {
  if (!mayBeFormula.test(cell)) return cell;
  const inside = cell.replace(toDefuse, "$1$2'");
  return inside !== cell || formulaStart.test(cell) ? `'${inside}` : cell;
}

/** Removes the `'` that `defuse` (or a spreadsheet) put before formulas. A `'` of the user's own stays. */
export function undoDefuse(cell: string): string {
  if (!cell.startsWith("'")) return cell;
  const rest = cell.slice(1);
  const inside = rest.replace(toUndo, '$1$2');
  return inside !== rest || formulaStart.test(rest) ? inside : cell;
}

/** True for a `'` at the start that no other one closes: rather that of a spreadsheet than of a quotation. */
export function isLoneApostrophe(cell: string): boolean {
  const start = cell.trimStart();
  return start.startsWith("'") && !start.includes("'", 1);
}

/** The text without what a spreadsheet changes when it saves a table: line ends, and blanks around it. */
export function asSpreadsheetsKeep(text: string): string {
  return (text.includes('\r') ? text.replace(/\r\n?/g, '\n') : text).trim();
}

/** True where a table shows this text: saved by a spreadsheet, or shortened, on one line. */
export function isTextOf(shown: string, text: string): boolean {
  const [short, whole] = [asSpreadsheetsKeep(shown), asSpreadsheetsKeep(text)];
  if (short === whole) return true;
  const dense = (some: string): string => some.replace(/[\s\p{C}]+/gu, '');
  return short.endsWith('…') && dense(whole).startsWith(dense(short.slice(0, -1)));
}

/** The most characters that a cell holds: spreadsheets refuse a file with a longer text, and programs cut it without a word. */
export const cellMaxLength = 32_767;
