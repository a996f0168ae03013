/** Tells a header that fits none of the rows below it: a name short, or with other characters between its cells. */

import { type Message, message } from '../messages/message.ts';

const separators = [',', ';', '\t', '|', '，'];
/** Sentences, not a code or a number. */
const text = /\S\s+\S+\s+\S|\p{Script=Han}{2}|[=＝]/u;

/** One row is a slip. */
const fewestRows = 2;

/** The header as it was read. */
interface HeaderShape {
  /** Its cells, those without a name included. */
  readonly width: number;
  /** The place of the question. */
  readonly question: number;
}

export class RowShapes {
  #rows = 0;
  /** With one cell more than the header: its number in front, and the question a cell further. */
  #shifted = 0;
  /** In one cell, by what separates as many cells in it as the header has. */
  readonly #unsplit = new Map<string, number>();

  look(cells: readonly string[], { width, question }: HeaderShape): void {
    this.#rows += 1;
    if (cells.length === width + 1) {
      const [own = '', next = ''] = cells.slice(question);
      if (cells[0] === String(this.#rows) && !text.test(own) && text.test(next)) this.#shifted += 1;
    }
    if (cells.length > 1 || width < 2) return;
    for (const separator of separators)
      if (cells[0]?.split(separator).length === width)
        this.#unsplit.set(separator, (this.#unsplit.get(separator) ?? 0) + 1);
  }

  /** What is wrong with all rows; null for nothing. */
  problem(delimiter: string): Message | null {
    if (this.#rows < fewestRows) return null;
    if (this.#shifted === this.#rows) return message('csv.short-header');
    const [other] = [...this.#unsplit].find(([, rows]) => rows === this.#rows) ?? [];
    return other === undefined ? null : message('csv.other-cells', { delimiter, other });
  }
}
