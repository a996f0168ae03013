import { expect, test } from 'vitest';
import { clockTime } from '../../src/text/clock-time.ts';

test('a place in a video reads as players show it', () => {
  expect([0, 5.9, 65, 3_599, 3_723].map(clockTime)).toEqual(['0:00', '0:05', '1:05', '59:59', '1:02:03']);
});
