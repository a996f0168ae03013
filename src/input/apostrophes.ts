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
    const changed = Object.values(input).filter(isDefused);
    if (changed.length === 0) return row;
    if (isOwn) this.#removed += changed.length;
    else this.#lone += changed.filter((cell) => isLoneApostrophe(String(cell))).length;
    if (!isOwn) return { ...row, asWritten: without(asWritten) };
    return { ...row, input: without(input), ...(row.asWritten && { asWritten: without(asWritten) }) };
  }

  /** What the plan says of them. */
  notes(): Message[] {
    return [
      ...(this.#removed > 0 ? [message('rows.apostrophes', { count: this.#removed })] : []),
      ...(this.#lone > 0 ? [message('rows.lone-apostrophes', { count: this.#lone })] : []),
    ];
  }
}

function isDefused(cell: unknown): boolean {
  if (Array.isArray(cell)) return cell.some(isDefused);
  return typeof cell === 'string' && undoDefuse(cell) !== cell;
}

function without(input: RawRow['input']): RawRow['input'] {
  return Object.fromEntries(Object.entries(input).map(([column, cell]) => [column, plain(cell)]));
}

function plain(cell: unknown): unknown {
  if (Array.isArray(cell)) return plainList(cell);
  return typeof cell === 'string' ? undoDefuse(cell) : cell;
}

/** In a workbook the pictures that a cell names may be a list: where one has a `'`, the cell had one, too. */
function plainList(list: readonly unknown[]): readonly unknown[] {
  if (!list.some(isDefused)) return list;
  const first = list.findIndex((each) => typeof each === 'string' && each.startsWith("'"));
  return list.map((each, at) => (at === first ? String(each).slice(1) : plain(each)));
}
