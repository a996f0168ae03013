/** The user of a simulated world: a file of questions that is edited now and then. */

import type { WrittenRow } from '../support/incoming-rows.ts';
import type { Dice } from './dice.ts';

const mostRows = 14;

/** A file whose rows are named by the first word of their question, however they are edited. */
export class UserFile {
  readonly #dice: Dice;
  readonly #hasIds: boolean;
  readonly #qualities: readonly [string, ...string[]];
  #made = 0;
  #edits = 0;
  rows: WrittenRow[];

  constructor(dice: Dice, isMixed: boolean) {
    this.#dice = dice;
    this.#hasIds = dice.chance(0.6);
    this.#qualities = isMixed ? ['', 'h', 'm', 'l'] : [''];
    this.rows = Array.from({ length: dice.integer(1, 8) }, () => this.#newRow());
    const [first] = this.rows;
    if (!this.#hasIds && first !== undefined && dice.chance(0.3)) this.rows.push({ ...first });
  }

  #newRow(): WrittenRow {
    this.#made += 1;
    const row = { question: `Q${this.#made} is asked`, quality: this.#dice.pick(this.#qualities) };
    return this.#hasIds ? { id: `Q${this.#made}`, ...row } : row;
  }

  /** Moves, adds, removes or rewrites a row. */
  edit(): void {
    const { rows } = this;
    const at = this.#dice.integer(0, rows.length - 1);
    const row = rows[at];
    this.#edits += 1;
    switch (this.#dice.integer(0, 3)) {
      case 0:
        this.rows = [...rows.slice(at), ...rows.slice(0, at)];
        break;
      case 1:
        if (rows.length < mostRows) rows.splice(at, 0, this.#newRow());
        break;
      case 2:
        if (rows.length > 2) rows.splice(at, 1);
        break;
      case 3:
        if (this.#hasIds && row !== undefined)
          rows[at] = { ...row, question: `${row.id} is asked again (${this.#edits})` };
        break;
    }
  }
}
