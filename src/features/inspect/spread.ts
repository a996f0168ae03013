/** Pure. What is usual among some numbers, whatever a few of them are: median and median absolute deviation, of logarithms. */

import { suspicion } from '../../money/policy.ts';

/** The usual size of some numbers. */
export interface Spread {
  readonly medianLog: number;
  /** Beyond this distance from the median a logarithm is unusual. */
  readonly reach: number;
}

/** Of positive numbers; null where they are too few to say. `leastFactor` is never unusual. */
export function spreadOf(numbers: readonly number[], leastFactor: number): Spread | null {
  if (numbers.length < suspicion.fewestRows) return null;
  const logs = Float64Array.from(numbers, Math.log).sort();
  const medianLog = middleOf(logs);
  const distances = logs.map((log) => Math.abs(log - medianLog)).sort();
  const deviation = madOfNormal * middleOf(distances);
  return { medianLog, reach: Math.max(Math.log(leastFactor), suspicion.farDeviations * deviation) };
}

/** So many times the median, to two digits; null where that is usual. */
export function unusualTimes(number: number, { medianLog, reach }: Spread): number | null {
  const distance = Math.log(number) - medianLog;
  return Math.abs(distance) <= reach ? null : Number(Math.exp(distance).toPrecision(2));
}

/** The standard deviation of normal numbers, as a multiple of their median absolute deviation. */
const madOfNormal = 1.4826;

/** Of sorted numbers, at least one. */
function middleOf(sorted: Float64Array): number {
  const half = sorted.length >> 1;
  const upper = sorted[half] as number;
  return sorted.length % 2 === 1 ? upper : ((sorted[half - 1] as number) + upper) / 2;
}
