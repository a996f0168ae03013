/** What an import does with each row of a file, a byte each. */

import { isFateAsShown, type RowFate } from '../../../money/plan.ts';
import type { RowFates } from '../../port/import.ts';

const fates: readonly RowFate[] = ['kept', 'new', 'waiting', 'again'];

/** A row that is not named is kept. */
export class FateBytes implements RowFates {
  #bytes = new Uint8Array(0);

  constructor(rows: Iterable<{ readonly row: number; readonly fate: RowFate }>) {
    for (const { row, fate } of rows) {
      if (row >= this.#bytes.length) this.#grow(row + 1);
      this.#bytes[row] = fates.indexOf(fate);
    }
  }

  #grow(length: number): void {
    const more = new Uint8Array(Math.max(length, this.#bytes.length * 2));
    more.set(this.#bytes);
    this.#bytes = more;
  }

  of(row: number): RowFate {
    return fates[this.#bytes[row] ?? 0] ?? 'kept';
  }

  isAsShown(shown: RowFates): boolean {
    return this.#bytes.every((_, row) => isFateAsShown(shown.of(row), this.of(row)));
  }
}
