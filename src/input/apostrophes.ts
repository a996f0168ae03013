/**
 * The `'` before formulas. The program puts it before those in its own tables, and takes it off when they come back; in another
 * table it may open a quotation, and stays.
 */

import { type Message, message } from '../messages/message.ts';
import { isLoneApostrophe, undoDefuse } from '../text/spreadsheet-text.ts';
import type { RawRow, RowPage } from './read-rows.ts';

export class Apostrophes {
  #removed = 0;
  #lone = 0;

  /** The page as it counts. `isOwn`: the program wrote the table. Rows of others were read without the `'` once. */
  read(page: RowPage, isOwn: boolean): RowPage {
    const rows = page.rows.map((row) => this.#readRow(row, isOwn));
    return { ...page, rows };
  }

  #readRow(row: RawRow, isOwn: boolean): RawRow {
    const { input, asWritten = input } = row;
    if (!Object.values(input).some((cell) => typeof cell === 'string' && cell.startsWith("'"))) return row;
    const undone = without(input);
    for (const [column, cell] of Object.entries(input)) {
      if (undone[column] === cell) continue;
      if (isOwn) this.#removed += 1;
      else if (isLoneApostrophe(String(cell))) this.#lone += 1;
    }
    if (!isOwn) return { ...row, asWritten: without(asWritten) };
    return { ...row, input: undone, ...(row.asWritten && { asWritten: without(asWritten) }) };
  }

  /** What the plan says of them. */
  notes(): Message[] {
    return [
      ...(this.#removed > 0 ? [message('rows.apostrophes', { count: this.#removed })] : []),
      ...(this.#lone > 0 ? [message('rows.lone-apostrophes', { count: this.#lone })] : []),
    ];
  }
}

function without(input: RawRow['input']): RawRow['input'] {
  const cells = Object.entries(input).map(([column, cell]) => {
    return [column, typeof cell === 'string' ? undoDefuse(cell) : cell];
  });
  return Object.fromEntries(cells);
}
