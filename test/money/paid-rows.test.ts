import { expect, test } from 'vitest';
import { allWaiting, paidRowsOf, secondChances } from '../../src/money/paid-rows.ts';

test('a command pays for all that waits, for the rows it names, or for those that a retry ordered', () => {
  expect(paidRowsOf({})).toEqual(allWaiting);
  expect(paidRowsOf({ only: ['a'] })).toEqual({ only: ['a'], retry: null });
  expect(paidRowsOf({ only: ['a'], retry: 3 })).toEqual({ only: null, retry: 3 });
});

test('what was refused with others alike is sent again by a command for all or for that row, and by no retry', () => {
  const alike = [{ id: 'a' }, { id: 'b' }];
  expect(secondChances(alike, allWaiting)).toEqual(alike);
  expect(secondChances(alike, paidRowsOf({ only: ['b', 'c'] }))).toEqual([{ id: 'b' }]);
  expect(secondChances(alike, paidRowsOf({ retry: 3 }))).toEqual([]);
});
