import { expect, it, test } from 'vitest';
import { statuses } from '../../src/money/item.ts';
import { hasMark, sqlList, statusesWith } from '../../src/money/statuses.ts';
import { itemIn } from './lives.ts';

it.each([
  ['reserving', ['submitting', 'open', 'uncertain', 'lost']],
  ['priced-late', ['downloading', 'completed']],
  ['free', ['pending', 'failed', 'rejected', 'invalid']],
  ['taskless', ['pending', 'rejected', 'invalid']],
  ['waiting', ['pending', 'invalid']],
  ['under-way', ['submitting', 'open', 'downloading']],
  ['followed', ['submitting', 'open', 'downloading', 'undelivered', 'lost']],
  ['unsettled', ['pending', 'submitting', 'uncertain']],
  ['bad', ['failed', 'rejected', 'uncertain', 'undelivered', 'lost', 'invalid']],
  ['retried', ['failed', 'rejected', 'lost']],
] as const)('%s: %s', (mark, expected) => {
  expect(statusesWith(mark)).toEqual(expected);
  expect(statuses.filter((status) => hasMark(status, mark))).toEqual(expected);
});

test('what may be charged and what is free have no status in common', () => {
  expect(statuses.filter((status) => hasMark(status, 'reserving') && hasMark(status, 'free'))).toEqual([]);
});

test('a row without a task has none, and one that was made or is made has one', () => {
  const taskless = statuses.filter((status) => hasMark(status, 'taskless'));
  for (const status of taskless) expect(itemIn(status).taskId).toBeNull();
  for (const status of statuses.filter((status) => hasMark(status, 'priced-late')))
    expect(itemIn(status).taskId).not.toBeNull();
});

test('a database gets the same lists', () => {
  expect(sqlList('retried')).toBe("('failed', 'rejected', 'lost')");
});
