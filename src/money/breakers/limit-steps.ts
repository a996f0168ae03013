/** The course of a search for the concurrency, in a bounded number of steps. */

import type { Policy } from '../policy.ts';

/** From this time (epoch ms) on so many tasks could be open at once. */
export type LimitStep = readonly [at: number, limit: number];

/** What is saved of a search. */
export interface LimitCourse {
  /** The range it was made in: in another one it says nothing of where to begin. */
  readonly range: readonly [from: number, most: number];
  /** Oldest first; never more than `mostLimitSteps`. */
  readonly steps: readonly LimitStep[];
}

/** As many as the chart on the page can show. */
export const mostLimitSteps = 240;

function rangeOf({ searchFrom, concurrency }: Policy): LimitCourse['range'] {
  return [searchFrom ?? concurrency, concurrency];
}

/** The limit to go on from; null where there is none, or it was found in another range. */
export function lastLimit(course: LimitCourse | null, policy: Policy): number | null {
  const [from, most] = rangeOf(policy);
  if (course === null || course.range[0] !== from || course.range[1] !== most) return null;
  return course.steps.at(-1)?.[1] ?? null;
}

/** The course with one more step. Where there are too many, every second one of the earlier ones is left out. */
export function addLimitStep(course: LimitCourse | null, step: LimitStep, policy: Policy): LimitCourse {
  const steps = course?.steps ?? [];
  const kept = steps.length < mostLimitSteps ? steps : steps.filter((_, i) => i % 2 === 0);
  return { range: rangeOf(policy), steps: [...kept, step] };
}
