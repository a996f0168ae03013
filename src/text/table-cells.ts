/** Splits the text of a small table into cells: whatever a spreadsheet saves as CSV. */

/** One row of a table. */
export interface TableRow {
  readonly cells: readonly string[];
  /** Line where the row starts, from 1. */
  readonly line: number;
  /** True where a quote is never closed: its cell has the rest of the text. */
  readonly isOpen: boolean;
}

/** The cells of each row of a text. An unclosed quote ends with the text. */
export function parseCells(text: string, delimiter: string): TableRow[] {
  const rows: TableRow[] = [];
  let row: string[] = [];
  let line = 1;
  let nextLine = 1;
  const cell = new RegExp(
    `(?:"([^"]*(?:""[^"]*)*)("|$))?([^${delimiter}\\r\\n]*)(${delimiter}|\\r\\n|\\r|\\n|$)`,
    'gy',
  );
  for (const [, quoted = '', closing, plain = '', end = ''] of text.matchAll(cell)) {
    row.push(quoted.replaceAll('""', '"') + plain);
    nextLine += quoted.match(/\r\n|[\r\n]/g)?.length ?? 0;
    if (end === delimiter) continue;
    rows.push({ cells: row, line, isOpen: closing === '' });
    row = [];
    nextLine += 1;
    line = nextLine;
    if (end === '') break;
  }
  return rows;
}
