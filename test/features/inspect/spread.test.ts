import { expect, test } from 'vitest';
import { spreadOf, unusualTimes } from '../../../src/features/inspect/spread.ts';
import { suspicion } from '../../../src/money/policy.ts';

const twenty = (number: (at: number) => number) =>
  Array.from({ length: suspicion.fewestRows }, (_, at) => number(at));

test('few numbers say nothing', () => {
  expect(spreadOf(twenty(() => 10).slice(1), 2)).toBeNull();
});

test('equal numbers leave room for the least factor', () => {
  const spread = spreadOf(
    twenty(() => 10),
    2,
  );
  if (spread === null) throw new Error('twenty are enough');
  expect([5.1, 10, 19.9].map((number) => unusualTimes(number, spread))).toEqual([null, null, null]);
  expect([4, 50].map((number) => unusualTimes(number, spread))).toEqual([0.4, 5]);
});

test('numbers that differ much have a wide reach, which a few outliers do not change', () => {
  const wide = [...twenty((at) => 2 ** (at % 5)), 4];
  const spread = spreadOf(wide, 2);
  if (spread === null) throw new Error('twenty are enough');
  expect(Math.exp(spread.medianLog)).toBeCloseTo(4);
  const spoiled = spreadOf([...wide, 1e6], 2);
  expect(spoiled?.reach).toBeCloseTo(spread.reach);
  expect(unusualTimes(64, spread)).toBeNull();
  expect(unusualTimes(1e6, spread)).toBe(250_000);
});
