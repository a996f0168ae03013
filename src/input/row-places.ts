/**
 * Where the rows of a text file are in a spreadsheet. Cells of several lines push the lines below them apart from the rows,
 * and who looks for a row in Excel finds it by its row.
 */

/** The rows of a file by the lines they start on. */
export interface RowPlaces {
  /** In the order of lines, both from 1; row 0 for an unknown one. */
  add(line: number, row: number): void;
  /** The row in a spreadsheet where that is not the line itself; null where it is, or is not known. */
  rowOf(line: number): number | null;
}

/** Changes of the distance that are remembered: some megabytes, and more than anybody looks up. */
const rememberedCount = 100_000;

export function createRowPlaces(): RowPlaces {
  /** The lines from which on a row is this much less than its line. */
  const starts: number[] = [];
  const shifts: number[] = [];
  let shift = 0;
  let isKnown = true;
  return {
    add(line, row) {
      const now = row === 0 ? 0 : line - row;
      if (now === shift || !isKnown) return;
      isKnown = row !== 0 && starts.length < rememberedCount;
      shift = isKnown ? now : 0;
      starts.push(line);
      shifts.push(shift);
    },
    rowOf(line) {
      let low = 0;
      let high = starts.length;
      while (low < high) {
        const middle = (low + high) >> 1;
        if ((starts[middle] ?? 0) <= line) low = middle + 1;
        else high = middle;
      }
      const known = shifts[low - 1] ?? 0;
      return known === 0 ? null : line - known;
    },
  };
}
