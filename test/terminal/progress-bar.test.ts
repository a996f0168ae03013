import fc from 'fast-check';
import { expect, test } from 'vitest';
import { renderBar, renderPercent } from '../../src/terminal/progress-bar.ts';

test('a bar is shared out as the rows are', () => {
  expect(renderBar([40, 10, 0, 50], 20)).toEqual([8, 2, 0, 10]);
  expect(renderBar([0, 0, 0, 0], 20)).toEqual([0, 0, 0, 0]);
});

test('one row among thousands is seen', () => {
  expect(renderBar([2_999, 0, 1, 0], 20)).toEqual([19, 0, 1, 0]);
});

test('a bar is as wide as it should be, whatever the shares are', () => {
  const shares = fc.array(fc.nat(1_000_000), { minLength: 4, maxLength: 4 });
  fc.assert(
    fc.property(shares, fc.integer({ min: 12, max: 60 }), (counts, width) => {
      const cells = renderBar(counts, width);
      const sum = cells.reduce((all, cell) => all + cell, 0);
      expect(sum).toBe(counts.some((count) => count > 0) ? width : 0);
      counts.forEach((count, index) => {
        expect((cells[index] ?? 0) > 0).toBe(count > 0);
      });
    }),
  );
});

test('100 % is all, not nearly all', () => {
  expect(renderPercent(2_999, 3_000)).toBe('99 %');
  expect(renderPercent(3_000, 3_000)).toBe('100 %');
  expect(renderPercent(0, 0)).toBe('0 %');
});
