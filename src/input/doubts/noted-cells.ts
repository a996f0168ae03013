/** Counts the cells that are noted: one warning for each kind, with its number and first place. */

import type { PlaceOf } from '../../messages/input.ts';
import { type Message, message } from '../../messages/message.ts';
import type { Source } from '../../money/question.ts';
import type { RawRow } from '../read-rows.ts';
import { type CellDoubt, cellDoubts, type NotedCell } from './cell-doubts.ts';

/** The first cell of a kind, and how many there are. */
interface Seen {
  count: number;
  readonly line: number;
  readonly column: string;
}

const notedFields = ['question', 'answer'] as const;

export class NotedCells {
  readonly #placeOf: PlaceOf;
  readonly #seen = new Map<CellDoubt, Seen>();

  constructor(placeOf: PlaceOf) {
    this.#placeOf = placeOf;
  }

  look({ input, line }: RawRow, { fields }: Source): void {
    for (const field of notedFields) {
      const column = fields[field];
      const text = column === undefined ? null : input[column];
      if (column !== undefined && typeof text === 'string') this.#lookAt({ field, text }, line, column);
    }
  }

  #lookAt(cell: NotedCell, line: number, column: string): void {
    for (const doubt of cellDoubts) {
      if (!doubt.isAbout(cell)) continue;
      const known = this.#seen.get(doubt);
      if (known === undefined) this.#seen.set(doubt, { count: 1, line, column });
      else known.count += 1;
    }
  }

  /** Lines of the plan. */
  notes(): readonly Message[] {
    return cellDoubts.flatMap((doubt) => {
      const seen = this.#seen.get(doubt);
      if (seen === undefined) return [];
      const { what, so } = doubt;
      const { count, line } = seen;
      const column = JSON.stringify(seen.column);
      return [message('rows.noted-cells', { what, so, count, place: this.#placeOf(line), column })];
    });
  }
}
