/** Tells a text of several lines from rows that a stray quote made one cell. */

const asked = /[\p{L}\d].{2,}[?？]$/u;

/**
 * True for the lines of a row that are rows by themselves: each with the cells of the header, and with the next id or, without ids,
 * a question. A text of several lines may have as many commas by chance.
 */
export function isSwallowed(
  lines: readonly string[],
  { delimiter, width }: { readonly delimiter: string; readonly width: number },
  at: { readonly id: number; readonly question: number },
): boolean {
  if (width < 2 || lines.length < 2) return false;
  const rows = lines.map((line) => line.split(delimiter));
  if (rows.some((cells) => cells.length !== width)) return false;
  if (at.id < 0) return rows.slice(0, -1).every((cells) => isQuestion(cells, at.question));
  const ids = rows.map((cells) => cells[at.id]?.trim() ?? '');
  return ids.every((id, row) => row === 0 || isNext(ids[row - 1] ?? '', id));
}

function isQuestion(cells: readonly string[], at: number): boolean {
  return asked.test(cells[at] ?? '') && /^\S/.test(cells[at + 1] ?? 'x');
}

/** True for `7` after `6`, and for `Q-07` after `Q-06`. */
function isNext(id: string, next: string): boolean {
  const [, start = '', number = ''] = /^(\D*)(\d{1,9})$/.exec(id) ?? [];
  return number !== '' && next.startsWith(start) && Number(next.slice(start.length)) === Number(number) + 1;
}
