/**
 * Which row each drawing belongs to. Where one stands is given in heights of rows, which come with the rows: these wait
 * until all that is drawn in them is known.
 */

import type { Drawing } from './drawings.ts';
import type { SheetFacts, SheetRow } from './sheet.ts';

/** What is noted of a drawing that stands in several rows: in its first one, or in that which it mostly covers. */
type Note = 'tall' | 'moved' | null;

/** What becomes of a drawing. `unclear`: it begins above the rows, and could belong to one of them. */
export type Place =
  | { readonly kind: 'row'; readonly row: number; readonly note: Note }
  | { readonly kind: 'unseen' | 'above' | 'unclear' };

/** The sheet that the drawings stand in. */
export interface Ground {
  readonly facts: SheetFacts;
  /** The row of the header. */
  readonly header: number;
  /** True for a row whose question is that of a row above, by merged cells. To be asked row by row from the top. */
  isContinued(row: number): boolean;
  /** True for a row that asks something without its drawings: no drawing is moved to another one. */
  isFilled(cells: SheetRow['cells']): boolean;
}

/** A row that has come. */
interface SeenRow {
  /** In EMU. */
  readonly height: number;
  readonly isHidden: boolean;
  readonly isContinued: boolean;
  readonly cells: SheetRow['cells'];
}

/** The height of a row, and how much of it is covered; in EMU. */
interface Covered {
  readonly height: number;
  readonly part: number;
}

/** EMU in a point, and in a pixel of a usual screen: heights are rounded to it. */
const point = 12_700;
const pixel = 9_525;
/** Rows looked at for one drawing: none of so many is mostly covered. */
const mostRows = 64;
/** A row with that share of a drawing is the one that it mostly covers. */
const mostly = 2 / 3;
/** A drawing that covers no more of its first row begins a hair above the next one. */
const hair = 1 / 4;

/** The drawings of a sheet, each until its row is known. */
export class Placing {
  readonly #ground: Ground;
  readonly #placed: (drawing: Drawing, place: Place) => void;
  /** By first row. */
  readonly #open: readonly Drawing[];
  #next = 0;
  /** From the first row of the next drawing. */
  readonly #rows = new Map<number, SeenRow>();
  #last = 0;

  constructor(
    drawings: readonly Drawing[],
    ground: Ground,
    placed: (drawing: Drawing, place: Place) => void,
  ) {
    this.#open = drawings.toSorted((one, other) => one.row - other.row);
    this.#ground = ground;
    this.#placed = placed;
  }

  /** The same rows, each once all of its drawings are placed. */
  async *wait(rows: AsyncIterable<readonly SheetRow[]>): AsyncGenerator<readonly SheetRow[]> {
    let waiting: SheetRow[] = [];
    for await (const more of rows) {
      for (const row of more) {
        this.#see(row);
        waiting.push(row);
      }
      const first = this.#firstOpen();
      const at = waiting.findIndex(({ number }) => number >= first);
      const ready = at < 0 ? waiting : waiting.slice(0, at);
      waiting = at < 0 ? [] : waiting.slice(at);
      yield ready;
    }
    this.#last = Number.POSITIVE_INFINITY;
    this.#place();
    yield waiting;
  }

  #see({ number, height, isHidden, cells }: SheetRow): void {
    const isContinued = this.#ground.isContinued(number);
    this.#last = number;
    if (number < this.#firstOpen()) return;
    this.#rows.set(number, {
      height: isHidden ? 0 : (height ?? this.#ground.facts.rowHeight) * point,
      isHidden,
      isContinued,
      cells,
    });
    this.#place();
  }

  /** Places those whose rows have come. */
  #place(): void {
    for (let drawing = this.#open[this.#next]; drawing !== undefined; drawing = this.#open[this.#next]) {
      const place = this.#last < drawing.row ? null : this.#placeOf(drawing);
      if (place === null) break;
      this.#placed(drawing, place);
      this.#next += 1;
    }
    const first = this.#firstOpen();
    for (const row of this.#rows.keys()) {
      if (row >= first) break;
      this.#rows.delete(row);
    }
  }

  #firstOpen(): number {
    return this.#open[this.#next]?.row ?? Number.POSITIVE_INFINITY;
  }

  /** null: more rows are needed. */
  #placeOf(drawing: Drawing): Place | null {
    if (this.#isUnseen(drawing)) return { kind: 'unseen' };
    const { header } = this.#ground;
    const { row, to } = drawing;
    if (to !== null && to.row <= header) return { kind: 'above' };
    const rows = this.#rowsOf(drawing);
    if (rows === 'open') return null;
    if (row > header) return { kind: 'row', ...this.#rowBelow(drawing, rows) };
    if (rows === null) return { kind: 'unclear' };
    const above = shareOf(rows, (at) => row + at <= header);
    const most = this.#mostlyCovered(row, rows);
    if (above >= mostly || rows.length <= header - row + 1) return { kind: 'above' };
    return most === null || most <= header ? { kind: 'unclear' } : { kind: 'row', row: most, note: 'moved' };
  }

  /** Leftovers of deleted rows have no size; those in hidden rows and columns come back with them. */
  #isUnseen({ row, column, isHidden, isFlat, isThin }: Drawing): boolean {
    const isColumnHidden = this.#ground.facts.hiddenColumns.some(
      ({ from, to }) => column >= from && column <= to,
    );
    return isHidden || (isFlat && this.#rows.get(row)?.isHidden !== true) || (isThin && !isColumnHidden);
  }

  /** The row of a drawing that begins below the header. */
  #rowBelow(
    { row, to }: Drawing,
    rows: readonly Covered[] | null,
  ): { readonly row: number; readonly note: Note } {
    if (rows === null)
      return {
        row,
        note: to === null || to.row > row + 1 || (to.row > row && to.offset > 0) ? 'tall' : null,
      };
    if (!rows.some(({ part }, at) => at > 0 && part > 0)) return { row, note: null };
    const [first] = rows;
    // What is in a hidden row is not shown above it.
    const isHairAbove = first !== undefined && first.height > 0 && first.part <= hair * first.height;
    const most = isHairAbove ? this.#mostlyCovered(row, rows) : null;
    return most === null || most === row ? { row, note: 'tall' } : { row: most, note: 'moved' };
  }

  /** The row that is mostly covered, with those that continue it; null for none, or for one without a question. */
  #mostlyCovered(first: number, rows: readonly Covered[]): number | null {
    let top = first;
    const tops = rows.map((_, at) => {
      if (this.#rows.get(first + at)?.isContinued !== true) top = first + at;
      return top;
    });
    const most = tops.find((row) => shareOf(rows, (at) => tops[at] === row) >= mostly);
    const cells = this.#rows.get(most ?? -1)?.cells ?? [];
    return most !== undefined && this.#ground.isFilled(cells) ? most : null;
  }

  /** How the rows are covered, from the first one; null where their heights are not as they were drawn. */
  #rowsOf({ row, offset, to, height }: Drawing): readonly Covered[] | null | 'open' {
    const rows: Covered[] = [];
    let rest = height ?? 0;
    for (let at = row; at < row + mostRows; at++) {
      if (at > this.#last) return 'open';
      const top = at === row ? offset : 0;
      const whole = this.#rows.get(at)?.height ?? this.#ground.facts.rowHeight * point;
      const isLast = to === null ? top + rest <= whole + pixel : at === to.row;
      const bottom = !isLast ? whole : (to?.offset ?? top + rest);
      if (Math.max(top, bottom) > whole + pixel) return null;
      const part = Math.max(0, bottom - top);
      rows.push({ height: whole, part });
      if (isLast) return rows;
      rest -= part;
    }
    return null;
  }
}

/** The share of a drawing that stands in these of its rows. */
function shareOf(rows: readonly Covered[], isAsked: (at: number) => boolean): number {
  const sum = (total: number, { part }: Covered): number => total + part;
  return rows.filter((_, at) => isAsked(at)).reduce(sum, 0) / rows.reduce(sum, 0);
}
