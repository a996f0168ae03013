/** A bar of cells, shared out among groups. */

/** Cells of each group in a bar of `width` cells: as its share is, but one at least for who has any. */
export function renderBar(shares: readonly number[], width: number): number[] {
  const all = shares.reduce((sum, share) => sum + share, 0);
  if (all === 0) return shares.map(() => 0);
  const cells = shares.map((share) => (share === 0 ? 0 : Math.max(1, Math.round((share / all) * width))));
  // What rounding gave too much or too little is settled with the largest, which feels it least.
  const over = cells.reduce((sum, count) => sum + count, 0) - width;
  const largest = cells.indexOf(Math.max(...cells));
  return cells.map((count, at) => (at === largest ? Math.max(0, count - over) : count));
}

/** `40 %`; 100 only when it is all. */
export function renderPercent(part: number, all: number): string {
  return `${all === 0 ? 0 : Math.floor((part / all) * 100)} %`;
}
