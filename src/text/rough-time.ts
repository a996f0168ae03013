/** Estimates of time, no more exact than they are. */

const second = 1_000;
const minute = 60 * second;

/** A time span (ms) as an estimate, rounded up in steps that grow with it: 5 s, 10 s, a minute. */
export function roughMs(ms: number): number {
  const step = ms <= minute ? 5 * second : ms <= 10 * minute ? 10 * second : minute;
  return Math.max(1, Math.ceil(ms / step)) * step;
}
