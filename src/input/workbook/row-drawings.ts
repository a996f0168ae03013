/** The drawings of a sheet by the row that they belong to, each until its row is read. */

import { cellName } from './cell-values.ts';
import { type Choice, type FieldsAt, isHeaderAgain } from './choose-sheet.ts';
import type { Drawing } from './drawings.ts';
import { type Ground, type Place, Placing } from './placing.ts';
import type { SheetCell, SheetFacts, SheetRow } from './sheet.ts';
import type { CellTally } from './sheet-notes.ts';

interface PlacedDrawing extends Drawing {
  /** It reaches from its row into the next one. */
  readonly isTall: boolean;
}

/** What the drawings of a sheet stand on. `questions` are the places of its columns of questions. */
export function groundOf(
  { header, merged }: Choice,
  facts: SheetFacts,
  { fieldAt, questions }: { readonly fieldAt: FieldsAt; readonly questions: readonly number[] },
): Ground {
  const isMergedBelow = merged.below();
  const isFilled = ({ column, text, kind }: SheetCell): boolean =>
    fieldAt.has(column) && (text.trim() !== '' || kind !== 'text');
  return {
    facts,
    header: header.row,
    isContinued: (row) => questions.some((column) => isMergedBelow(row, column)),
    isFilled: (cells) => !isHeaderAgain(cells, header, fieldAt) && cells.some(isFilled),
  };
}

export class RowDrawings {
  readonly #placing: Placing;
  readonly #names: readonly string[];
  readonly #tally: CellTally;
  /** In reading order. */
  readonly #byRow = new Map<number, PlacedDrawing[]>();
  /** Those above the next row that may belong to it. */
  #unclear: Drawing[] = [];

  /** `names` are those of the columns. */
  constructor(drawings: readonly Drawing[], ground: Ground, names: readonly string[], tally: CellTally) {
    this.#placing = new Placing(drawings, ground, (drawing, place) => this.#place(drawing, place));
    this.#names = names;
    this.#tally = tally;
  }

  /** The same rows, each once all of its drawings are known. */
  placedIn(rows: AsyncIterable<readonly SheetRow[]>): AsyncIterable<readonly SheetRow[]> {
    return this.#placing.wait(rows);
  }

  has(row: number): boolean {
    return this.#byRow.has(row);
  }

  /** The rows before this one that have drawings, from the top. */
  rowsBefore(next: number): number[] {
    return [...this.#byRow.keys()].filter((row) => row < next).sort((one, other) => one - other);
  }

  /** Those of a row, once. */
  take(row: number): readonly PlacedDrawing[] {
    const drawings = this.#byRow.get(row) ?? [];
    this.#byRow.delete(row);
    return drawings;
  }

  /** Those that may belong to the next row, once. */
  takeUnclear(): readonly Drawing[] {
    const unclear = this.#unclear;
    this.#unclear = [];
    return unclear;
  }

  /** Of a row that is left out: the next one may be meant by those that reach into it. */
  leaveToNext(drawings: readonly PlacedDrawing[]): void {
    this.#unclear.push(...drawings.filter(({ isTall }) => isTall));
  }

  #place(drawing: Drawing, place: Place): void {
    const { column, picture } = drawing;
    const cell = cellName(drawing.row, column);
    if (place.kind === 'unseen') {
      if (!drawing.isEmpty) this.#tally.note('unseen', cell);
      return;
    }
    // Next to the table, pictures may belong to a question; boxes with instructions are more often found there.
    const isOutside = picture === null && this.#names[column] === undefined;
    if (place.kind === 'unclear' && !isOutside) this.#unclear.push(drawing);
    else if (place.kind !== 'row') this.#tally.note('above', cell);
    if (place.kind !== 'row') return;
    if (place.note === 'tall') this.#tally.note('tall', cell);
    if (place.note === 'moved') this.#tally.note('moved', cell);
    if (drawing.isCropped) this.#tally.note('cropped', cell);
    const placed = { ...drawing, isTall: place.note === 'tall' };
    const others = this.#byRow.get(place.row);
    if (others === undefined) this.#byRow.set(place.row, [placed]);
    else others.push(placed);
  }
}
