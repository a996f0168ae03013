import { expect, test } from 'vitest';
import { countHanzi } from '../../src/text/common-hanzi.ts';

test('of a text the letters of a language are counted, and the frequent Chinese ones', () => {
  expect(countHanzi('求 x 的值：①∠α，ｋ')).toEqual({ common: 3, all: 3 });
  expect(countHanzi('促澜 규か')).toEqual({ common: 0, all: 4 });
  expect(countHanzi('')).toEqual({ common: 0, all: 0 });
});
