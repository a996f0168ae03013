/**
 * The cells that merged ones hide. A cell below or next to the first one of a range may still hold an old text that no
 * program shows. The ranges stand behind the rows, so a sheet that has some is read twice.
 */

import { hasElement, readXml } from './xml.ts';
import type { Package, Part } from './zip.ts';

/** Merged ranges of a sheet. */
export interface MergedCells {
  readonly count: number;
  /** To be asked row by row from the top. Rows count from 1, columns from 0. */
  fromTop(): LastColumn;
  /** The same, for the cells that one of a row above is merged over. */
  below(): (row: number, column: number) => boolean;
}

/** The last column that a cell is merged over: its own where it is not merged, null where another cell hides it. */
type LastColumn = (row: number, column: number) => number | null;

/** Cells of a sheet; rows count from 1, columns from 0. */
export interface Range {
  readonly top: number;
  readonly bottom: number;
  readonly left: number;
  readonly right: number;
}

export const noMergedCells: MergedCells = {
  count: 0,
  fromTop: () => (_, column) => column,
  below: () => () => false,
};

const element = 'mergeCell';

/** The ranges of a sheet. Throws `WorkbookError`. */
export async function readMergedCells(source: Package, part: Part, maxBytes: number): Promise<MergedCells> {
  if (!(await hasElement(source.stream(part, maxBytes), element))) return noMergedCells;
  const ranges: Range[] = [];
  await readXml(source.stream(part, maxBytes), part.name, {
    open(name, { ref = '' }) {
      const range = name === element ? rangeOf(ref) : null;
      if (range !== null) ranges.push(range);
    },
    close() {},
    text() {},
  });
  ranges.sort((one, other) => one.top - other.top);
  return {
    count: ranges.length,
    fromTop() {
      const openAt = cursor(ranges);
      return (row, column) => lastColumnIn(openAt(row), row, column);
    },
    below() {
      const openAt = cursor(ranges);
      return (row, column) =>
        openAt(row).some(({ top, left, right }) => top < row && column >= left && column <= right);
    },
  };
}

/** The ranges that reach into a row. */
function cursor(ranges: readonly Range[]): (row: number) => readonly Range[] {
  let next = 0;
  let open: Range[] = [];
  let last = 0;
  return (row) => {
    if (row !== last) {
      open = open.filter(({ bottom }) => bottom >= row);
      for (let range = ranges[next]; range !== undefined && range.top <= row; range = ranges[++next])
        if (range.bottom >= row) open.push(range);
      last = row;
    }
    return open;
  };
}

function lastColumnIn(ranges: readonly Range[], row: number, column: number): number | null {
  let lastColumn = column;
  for (const { top, left, right } of ranges) {
    if (column < left || column > right) continue;
    if (row !== top || column !== left) return null;
    lastColumn = Math.max(lastColumn, right);
  }
  return lastColumn;
}

/** The cells of a reference such as `A1:C4`; null for another one, and for that of one cell. */
export function rangeOf(ref: string): Range | null {
  const [, from = '', top, to = '', bottom] =
    /^\$?([A-Z]{1,3})\$?(\d+):\$?([A-Z]{1,3})\$?(\d+)$/i.exec(ref) ?? [];
  if (top === undefined) return null;
  return { top: Number(top), bottom: Number(bottom), left: columnOf(from), right: columnOf(to) };
}

/** The column of letters such as `C`, or of a place such as `C17`, from 0; -1 where it is not one. */
export function columnOf(place: string): number {
  let column = 0;
  for (let at = 0; at < place.length && at < 4; at++) {
    const letter = place.charCodeAt(at) & ~32;
    if (letter < 65 || letter > 90) break;
    column = column * 26 + letter - 64;
  }
  return column - 1;
}
