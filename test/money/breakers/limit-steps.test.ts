import { expect, it } from 'vitest';
import {
  addLimitStep,
  type LimitCourse,
  lastLimit,
  mostLimitSteps,
} from '../../../src/money/breakers/limit-steps.ts';
import { defaultPolicy } from '../../../src/money/policy.ts';

const policy = { ...defaultPolicy, searchFrom: 4, concurrency: 64 };

it('a search goes on from its last step, in the same range only', () => {
  const course = addLimitStep(addLimitStep(null, [1, 4], policy), [2, 5], policy);
  expect(course).toEqual({
    range: [4, 64],
    steps: [
      [1, 4],
      [2, 5],
    ],
  });
  expect(lastLimit(course, policy)).toBe(5);
  expect(lastLimit(course, { ...policy, concurrency: 32 })).toBeNull();
  expect(lastLimit(course, { ...policy, searchFrom: 8 })).toBeNull();
  expect(lastLimit(null, policy)).toBeNull();
  expect(lastLimit({ range: [4, 64], steps: [] }, policy)).toBeNull();
  expect(addLimitStep(null, [1, 10], defaultPolicy).range).toEqual([10, 10]);
});

it('its steps are bounded, and the first and the last one stay', () => {
  let course: LimitCourse | null = null;
  for (let at = 0; at < 10_000; at++) course = addLimitStep(course, [at, at], policy);
  expect(course?.steps.length).toBeLessThanOrEqual(mostLimitSteps);
  expect(course?.steps[0]).toEqual([0, 0]);
  expect(course?.steps.at(-1)).toEqual([9_999, 9_999]);
});
