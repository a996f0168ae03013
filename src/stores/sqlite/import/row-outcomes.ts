/** What an import does with each row of a file, a byte each. */

import { isOutcomeAsShown, type RowOutcome } from '../../../money/plan.ts';
import type { RowOutcomes } from '../../port/import.ts';

const outcomes: readonly RowOutcome[] = ['kept', 'new', 'waiting', 'again'];

/** A row that is not named is kept. */
export class OutcomeBytes implements RowOutcomes {
  #bytes = new Uint8Array(0);

  constructor(rows: Iterable<{ readonly row: number; readonly outcome: RowOutcome }>) {
    for (const { row, outcome } of rows) {
      if (row >= this.#bytes.length) this.#grow(row + 1);
      this.#bytes[row] = outcomes.indexOf(outcome);
    }
  }

  #grow(length: number): void {
    const more = new Uint8Array(Math.max(length, this.#bytes.length * 2));
    more.set(this.#bytes);
    this.#bytes = more;
  }

  of(row: number): RowOutcome {
    return outcomes[this.#bytes[row] ?? 0] ?? 'kept';
  }

  isAsShown(shown: RowOutcomes): boolean {
    return this.#bytes.every((_, row) => isOutcomeAsShown(shown.of(row), this.of(row)));
  }
}
