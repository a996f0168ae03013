/** Counts the cells that are noted: one warning for each kind, with its number and first place. */

import type { PlaceOf } from '../../messages/input.ts';
import { type Message, message } from '../../messages/message.ts';
import type { Question } from '../../money/item.ts';
import type { Field, Source } from '../../money/question.ts';
import type { RawRow } from '../read-rows.ts';
import { type CellDoubt, cellDoubts, doubtsAbout, type NotedCell } from './cell-doubts.ts';

/** The first cell of a kind, and how many there are. */
interface Seen {
  count: number;
  readonly line: number;
  readonly column: string;
}

export class NotedCells {
  readonly #placeOf: PlaceOf;
  readonly #seen = new Map<CellDoubt, Seen>();

  constructor(placeOf: PlaceOf) {
    this.#placeOf = placeOf;
  }

  /** `sent` are the questions of the rows; null for a row that is not sent: that is reported. */
  look(rows: readonly RawRow[], sent: readonly (Question | null)[], { fields, missing }: Source): void {
    const columns = Object.entries(fields) as [Field, string][];
    for (const [at, { input, line }] of rows.entries()) {
      const question = sent[at]?.question ?? null;
      if (question === null) continue;
      for (const [field, column] of columns) {
        const text = input[column];
        if (typeof text === 'string')
          this.#lookAt({ field, text, question, areWordsTexts: missing === 'text' }, line, column);
      }
    }
  }

  #lookAt(cell: NotedCell, line: number, column: string): void {
    for (const doubt of doubtsAbout(cell)) {
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
