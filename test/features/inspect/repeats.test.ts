import fc from 'fast-check';
import { expect, test } from 'vitest';
import { RepeatFinder } from '../../../src/features/inspect/repeats.ts';
import { textNumber } from '../../../src/features/inspect/text-number.ts';

test('rows of different questions with one value are found, and name the first two of them', () => {
  const finder = new RepeatFinder();
  for (const [value, question, key] of [
    [7, 1, 10],
    [8, 2, 11],
    [7, 1, 12],
    [7, 3, 13],
    [8, 2, 14],
    [9, 4, 15],
  ] as const)
    finder.add(value, question, key);
  const repeats = finder.find();
  expect(repeats.pairOf(7)).toEqual({ first: 10, second: 13, count: 3 });
  // One question twice, and a value that is there once.
  expect([repeats.pairOf(8), repeats.pairOf(9)]).toEqual([null, null]);
  expect(repeats.rows).toBe(3);
  expect([...repeats.keys]).toEqual([10, 13]);
});

test('as many rows are found as a map of all values would find', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.nat(8), fc.nat(3)), { maxLength: 40 }), (rows) => {
      const finder = new RepeatFinder();
      for (const [key, [value, question]] of rows.entries()) finder.add(value, question, key);
      const questionsOf = (value: number) => new Set(rows.filter(([v]) => v === value).map(([, q]) => q));
      const shared = rows.filter(([value]) => questionsOf(value).size > 1);
      expect(finder.find().rows).toBe(shared.length);
    }),
  );
});

test('different texts have different numbers, and a text always the same', () => {
  const numbers = new Map<number, string>();
  for (let at = 0; at < 20_000; at += 1) {
    const text = `What is ${at} + 1?`;
    expect(numbers.get(textNumber(text))).toBeUndefined();
    numbers.set(textNumber(text), text);
  }
  expect(textNumber('题目')).toBe(textNumber('题目'));
  expect(Number.isSafeInteger(textNumber('题目'))).toBe(true);
});
