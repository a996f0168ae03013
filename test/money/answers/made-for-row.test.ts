import { expect, test } from 'vitest';
import { isMadeForRow } from '../../../src/money/answers/made-for-row.ts';
import { at, itemIn } from '../lives.ts';

const minute = 60_000;
const row = itemIn('uncertain', { submittedAt: at });
const iso = (time: number): string => new Date(time).toISOString();

test.each([
  ['at the time of the creation', iso(at + 500), true],
  ['a little before, by another clock', iso(at - 9 * minute), true],
  ['as late as its answer may have been', iso(at + 10 * minute), true],
  ['an hour before', iso(at - 60 * minute), false],
  ['an hour after', iso(at + 60 * minute), false],
  ['in another zone', new Date(at - 60 * minute).toISOString().replace('Z', '-01:00'), true],
  ['at a time without a zone, which may be any', '2019-01-01T00:00:00', null],
  ['at no time', '2019-13-41T99:00:00Z', null],
  ['never', null, null],
])('a task that was made %s: %s, %s', (_, createdAt, isIt) => {
  expect(isMadeForRow(row, createdAt, minute)).toBe(isIt);
});

test('a row without a time of its own has nothing to be held against', () => {
  expect(isMadeForRow({ submittedAt: null }, iso(0), minute)).toBeNull();
});
