import { expect, test } from 'vitest';
import { allWaiting, paidRowsOf } from '../../src/core/paid-rows.ts';

test('a command pays for all that waits, for the rows it names, or for those that a retry ordered', () => {
  expect(paidRowsOf({})).toEqual(allWaiting);
  expect(paidRowsOf({ only: ['a'] })).toEqual({ only: ['a'], retry: null });
  expect(paidRowsOf({ only: ['a'], retry: 3 })).toEqual({ only: null, retry: 3 });
});
