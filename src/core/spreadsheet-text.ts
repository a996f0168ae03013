/**
 * Cells that a spreadsheet would run as a formula, made harmless with a leading `'` and back.
 * `undoDefuse(defuse(cell)) === cell` for every cell, so that `failed.csv` can be mended and fed back.
 */

/**
 * A spreadsheet takes `=`, `+`, `-`, `@`, tab and carriage return at the start of a cell as the start of a formula;
 * some skip white space first, and some look at each line of a cell.
 */
const formulaStart = /(^|[\n\r])[\s\u00a0\u3000\ufeff]*[=+\-@\uff1d\uff0b\uff0d\uff20|%]|^[\t\r]/u;

function needsDefusing(cell: string): boolean {
  return formulaStart.test(cell.replace(/^'+/, ''));
}

/** The cell with a leading `'` where a spreadsheet would run it. */
export function defuse(cell: string): string {
  return needsDefusing(cell) ? `'${cell}` : cell;
}

/** Takes off the `'` that `defuse` (or a spreadsheet) put before a formula. */
export function undoDefuse(cell: string): string {
  return cell.startsWith("'") && needsDefusing(cell.slice(1)) ? cell.slice(1) : cell;
}
