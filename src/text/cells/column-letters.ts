/** Pure. The letters that spreadsheets name columns by, and lists their items: `A`, `Z`, `AA`. `column` counts from 0. */
export function columnLetters(column: number): string {
  const last = String.fromCharCode(65 + (column % 26));
  return column < 26 ? last : columnLetters(Math.floor(column / 26) - 1) + last;
}
