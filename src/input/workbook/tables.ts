/** The tables of a sheet, as Excel knows them (`Format as Table`): their last row may hold totals. */

import { type Range, rangeOf } from './merged-cells.ts';
import { type Relation, readPart } from './parts.ts';
import { shownPlaces } from './sheet-notes.ts';
import type { Package } from './zip.ts';

/** The rows of totals of each table that has some. `totalsRowShown` is no sign of them: it says what was shown once. */
export async function readTotals(
  source: Package,
  relations: ReadonlyMap<string, Relation>,
): Promise<readonly Range[]> {
  const found: Range[] = [];
  for (const { type, target, isOutside } of relations.values()) {
    const part = type === 'table' && !isOutside ? source.part(target) : null;
    if (part === null) continue;
    await readPart(source, part, {
      open(name, { ref = '', totalsRowCount }) {
        const range = name === 'table' ? rangeOf(ref) : null;
        const count = Number(totalsRowCount ?? 0);
        if (range === null || !(count > 0)) return;
        found.push({ ...range, top: Math.max(range.top, range.bottom - count) + 1 });
      },
      close() {},
      text() {},
    });
  }
  return found;
}

/** Rows of totals, which are left out. */
export class TotalsRows {
  /** How many, and the first of them. */
  readonly leftOut = { count: 0, lines: [] as number[] };
  readonly #ranges: readonly Range[];

  constructor(ranges: readonly Range[]) {
    this.#ranges = ranges;
  }

  has(row: number): boolean {
    return this.#ranges.some(({ top, bottom }) => row >= top && row <= bottom);
  }

  leaveOut(row: number): void {
    this.leftOut.count += 1;
    if (this.leftOut.lines.length < shownPlaces) this.leftOut.lines.push(row);
  }
}
