/** The user of a simulated world: a file of questions that is edited now and then. */

import type { WrittenRow } from '../support/incoming-rows.ts';
import type { Dice } from './dice.ts';

const mostRows = 14;

/** A question as its author wrote it, whatever the file's ids say. */
interface Authored {
  /** Names the row in a file whose ids name rows. */
  readonly id: string;
  readonly question: string;
  readonly quality: string;
}

/** A file whose rows are named by the first word of their question, however they are edited. */
export class UserFile {
  readonly #dice: Dice;
  /** Of its own, so that worlds without these edits stay as they are. */
  readonly #editor: Dice;
  readonly #ids: 'names' | 'counts' | 'none';
  readonly #qualities: readonly [string, ...string[]];
  #made = 0;
  #edits = 0;
  #rows: Authored[];

  constructor(dice: Dice, editor: Dice, isMixed: boolean) {
    this.#dice = dice;
    this.#editor = editor;
    const hasIds = dice.chance(0.6);
    this.#ids = !hasIds ? 'none' : editor.chance(0.4) ? 'counts' : 'names';
    this.#qualities = isMixed ? ['', 'h', 'm', 'l'] : [''];
    this.#rows = Array.from({ length: dice.integer(1, 8) }, () => this.#newRow());
    const [first] = this.#rows;
    if (!hasIds && first !== undefined && dice.chance(0.3)) this.#rows.push({ ...first });
  }

  /** The file as it stands. In one whose ids only count the rows they are counted again after each edit. */
  get rows(): readonly WrittenRow[] {
    return this.#rows.map(({ id, question, quality }, at) => {
      if (this.#ids === 'none') return { question, quality };
      return { id: this.#ids === 'counts' ? String(at + 1) : id, question, quality };
    });
  }

  /** A row that moved has another id; what was changed beside it cannot be told from a new row. */
  get countsRows(): boolean {
    return this.#ids === 'counts';
  }

  #newRow(): Authored {
    this.#made += 1;
    const quality = this.#dice.pick(this.#qualities);
    return { id: `Q${this.#made}`, question: `Q${this.#made} is asked`, quality };
  }

  #rewritten(row: Authored): Authored {
    return { ...row, question: `${row.question.split(' ')[0]} is asked again (${this.#edits})` };
  }

  /** Moves, adds, removes or rewrites a row; and sometimes does more. */
  edit(): void {
    const rows = this.#rows;
    const at = this.#dice.integer(0, rows.length - 1);
    const row = rows[at];
    this.#edits += 1;
    switch (this.#dice.integer(0, 3)) {
      case 0:
        this.#rows = [...rows.slice(at), ...rows.slice(0, at)];
        break;
      case 1:
        if (rows.length < mostRows) rows.splice(at, 0, this.#newRow());
        break;
      case 2:
        if (rows.length > 2) rows.splice(at, 1);
        break;
      case 3:
        if (this.#ids !== 'none' && row !== undefined) rows[at] = this.#rewritten(row);
        break;
    }
    if (this.#ids !== 'none' && this.#editor.chance(0.4)) this.#editMore();
  }

  /** Puts every second row in other words, where ids say which rows they are. */
  mend(): void {
    if (this.#ids !== 'names') return;
    this.#edits += 1;
    this.#rows = this.#rows.map((row) => (this.#editor.chance(0.5) ? this.#rewritten(row) : row));
  }

  /** Writes a corrected text in the place of the one that it corrects, where that stands once. */
  adopt(own: string, text: string, isRenamed: boolean): void {
    const at = this.#rows.findIndex(({ question }) => question === own);
    const row = this.#rows[at];
    if (row === undefined || this.#rows.some((other, place) => place !== at && other.question === own))
      return;
    if (isRenamed) this.#made += 1;
    this.#rows[at] = { ...row, question: text, ...(isRenamed && { id: `Q${this.#made}` }) };
  }

  /** The same in any one of the places where it stands; not where the corrected text stands already. */
  adoptOne(own: string, text: string): void {
    const places = this.#rows.flatMap(({ question }, at) => (question === own ? [at] : []));
    const [first] = places;
    if (first === undefined || this.#rows.some(({ question }) => question === text)) return;
    const at = this.#editor.pick([first, ...places]);
    const row = this.#rows[at];
    if (row !== undefined) this.#rows[at] = { ...row, question: text };
  }

  /** Edits that give a text another id. */
  #editMore(): void {
    const rows = this.#rows;
    const at = this.#editor.integer(0, rows.length - 1);
    const other = this.#editor.integer(0, rows.length - 1);
    const [row, twin] = [rows[at], rows[other]];
    if (row === undefined || twin === undefined) return;
    this.#made += 1;
    const copy = { ...row, id: `Q${this.#made}` };
    switch (this.#editor.integer(0, 3)) {
      case 0:
        rows[at] = { ...twin, id: row.id };
        rows[other] = { ...row, id: twin.id };
        break;
      case 1:
        if (rows.length < mostRows) rows.splice(other, 0, copy);
        break;
      case 2:
        if (rows.length < mostRows) rows.splice(at, 1, copy, this.#rewritten(row));
        break;
      case 3:
        rows[at] = copy;
        break;
    }
  }
}
