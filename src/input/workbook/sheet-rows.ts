/** Which rows of a sheet are read: those below the header that hold something, and the empty ones between them. */

import { message } from '../../messages/message.ts';
import type { Header } from './choose-sheet.ts';
import type { Sheet } from './open-workbook.ts';
import type { RowDrawings } from './row-drawings.ts';
import type { SheetRow } from './sheet.ts';
import type { TotalsRows } from './tables.ts';
import { WorkbookError } from './workbook-error.ts';

/** Rows missing between two others: each becomes a row without a question. More of them are a mistake. */
const gapRows = 1_000;

/** A row to read. */
export interface UsedRow extends Pick<SheetRow, 'number' | 'isHidden' | 'cells'> {
  /** It has neither cells nor drawings. */
  readonly isEmpty?: boolean;
}

export class SheetRows {
  readonly #sheet: Sheet;
  readonly #header: Header;
  readonly #drawings: RowDrawings;
  readonly #totals: TotalsRows;

  constructor(sheet: Sheet, header: Header, drawings: RowDrawings, totals: TotalsRows) {
    this.#sheet = sheet;
    this.#header = header;
    this.#drawings = drawings;
    this.#totals = totals;
  }

  /** From the top, without totals. The drawings of a row are to be taken before the next row is asked for. */
  async *inOrder(rows: AsyncIterable<readonly SheetRow[]>): AsyncGenerator<UsedRow> {
    let last = this.#header.row;
    for await (const some of rows) {
      for (const row of some) {
        if (row.number <= this.#header.row || !this.#isUsed(row)) continue;
        if (this.#isTotals(row.number)) {
          this.#totals.leaveOut(row.number);
          continue;
        }
        yield* this.#between(last, row.number);
        last = row.number;
        yield row;
      }
    }
    yield* this.#between(last, Number.POSITIVE_INFINITY);
  }

  #isUsed({ number, cells }: SheetRow): boolean {
    const isFilled = cells.some(
      ({ text, kind, richValue, formula }) =>
        text.trim() !== '' || kind !== 'text' || richValue > 0 || formula !== '',
    );
    return isFilled || this.#drawings.has(number);
  }

  #isTotals(row: number): boolean {
    return this.#totals.has(row) && !this.#drawings.has(row);
  }

  /** Rows without cells: those with drawings above them, and the empty ones in between. */
  *#between(last: number, next: number): Generator<UsedRow> {
    let at = last;
    for (const number of this.#drawings.rowsBefore(next)) {
      yield* this.#empty(at, number);
      yield { number, isHidden: false, cells: [] };
      at = number;
    }
    if (Number.isFinite(next)) yield* this.#empty(at, next);
  }

  *#empty(last: number, next: number): Generator<UsedRow> {
    const [from, to] = [last + 1, next - 1];
    if (to - from >= gapRows)
      throw new WorkbookError(message('workbook.empty-rows', { sheet: this.#sheet.name, from, to }));
    for (let number = from; number <= to; number++)
      if (!this.#isTotals(number)) yield { number, isHidden: false, cells: [], isEmpty: true };
  }
}
