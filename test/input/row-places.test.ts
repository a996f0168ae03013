import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createRowPlaces } from '../../src/input/row-places.ts';

test('the row of each line is known where it is not the line itself', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: 3 })), (heights) => {
      const places = createRowPlaces();
      let line = 1;
      const starts = heights.map((height, at) => {
        const start = line;
        places.add(start, at + 1);
        line += height;
        return start;
      });
      for (const [at, start] of starts.entries())
        expect(places.rowOf(start)).toBe(start === at + 1 ? null : at + 1);
    }),
  );
});

test('below a row that is not known no row is named, nor beyond what is remembered', () => {
  const places = createRowPlaces();
  places.add(3, 2);
  places.add(7, 0);
  places.add(9, 4);
  expect([3, 6, 7, 9].map(places.rowOf)).toEqual([2, 5, null, null]);

  const many = createRowPlaces();
  for (let row = 1; row <= 100_010; row++) many.add(row * 2, row);
  expect(many.rowOf(2 * 99_000)).toBe(99_000);
  expect(many.rowOf(2 * 100_009)).toBeNull();
});
