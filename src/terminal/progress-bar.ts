/** A bar of cells, divided among groups. */

/** Cells of each group in a bar of `width` cells, in proportion; at least one for each non-empty group. */
export function renderBar(shares: readonly number[], width: number): number[] {
  const all = shares.reduce((sum, share) => sum + share, 0);
  if (all === 0) return shares.map(() => 0);
  const cells = shares.map((share) => (share === 0 ? 0 : Math.max(1, Math.round((share / all) * width))));
  // The largest group absorbs the rounding error, where it shows least.
  const over = cells.reduce((sum, count) => sum + count, 0) - width;
  const largest = cells.indexOf(Math.max(...cells));
  return cells.map((count, at) => (at === largest ? Math.max(0, count - over) : count));
}

/** `40 %`; 100 only when it is all. */
export function renderPercent(part: number, all: number): string {
  return `${all === 0 ? 0 : Math.floor((part / all) * 100)} %`;
}
