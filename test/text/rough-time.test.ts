import { expect, test } from 'vitest';
import { roughMs } from '../../src/text/rough-time.ts';

const second = 1_000;
const minute = 60 * second;

test.each([
  [0, 5 * second],
  [41 * second, 45 * second],
  [minute, minute],
  [61 * second, 70 * second],
  [10 * minute, 10 * minute],
  [10 * minute + 1, 11 * minute],
])('an estimate of %d ms is %d ms', (ms, rough) => {
  expect(roughMs(ms)).toBe(rough);
});
