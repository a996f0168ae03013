/** In which order points are paired. */

import { type CrashPoint, wholePoints } from './points.ts';

/** Points that every process of a folder comes to that has a row to send. */
export const recurringPoints: readonly CrashPoint[] = wholePoints.filter(({ isOnce }) => !isOnce);

/** Pairs in one output folder. */
const mostLinks = 30;

/**
 * Chains in which each point is followed by the one `step` places further: over all steps that is every pair there is.
 * A longer chain is cut; the last point of a piece starts the next, so that no pair is lost.
 */
export function chainsOf<T>(all: readonly T[], step: number): T[][] {
  const chains: T[][] = [];
  const unseen = new Set(all.keys());
  for (const start of all.keys()) {
    const circle: number[] = [];
    for (let index = start; unseen.delete(index); index = (index + step) % all.length) circle.push(index);
    if (circle.length === 0) continue;
    const closed = [...circle, start].flatMap((index) => all.slice(index, index + 1));
    for (let from = 0; from < circle.length; from += mostLinks)
      chains.push(closed.slice(from, from + mostLinks + 1));
  }
  return chains;
}
