import { expect, test } from 'vitest';
import { type Status, statuses } from '../../src/core/item.ts';
import { mayBeAskedBefore, statusesOfFate } from '../../src/core/plan.ts';
import { isLegal } from '../../src/core/transition.ts';

const fates = ['takes-text', 'rerunnable', 'keeps-result'] as const;

test('a changed row that no task was made of takes its new text', () => {
  expect(statusesOfFate('takes-text')).toEqual(['pending', 'invalid', 'rejected']);
});

test('a changed row whose task has ended may be paid again', () => {
  expect(statusesOfFate('rerunnable')).toEqual(['completed', 'failed', 'undelivered', 'lost']);
});

test('a changed row that may still be made at the service keeps its result', () => {
  expect(statusesOfFate('keeps-result')).toEqual(['submitting', 'open', 'downloading', 'uncertain']);
});

test('every status has exactly one fate', () => {
  expect(fates.flatMap(statusesOfFate).sort()).toEqual([...statuses].sort());
});

test('a fate is one that the machine allows', () => {
  const allow = (type: 'question-changed' | 'retry-ordered') => (status: Status) => isLegal(status, type);
  expect(statusesOfFate('takes-text').every(allow('question-changed'))).toBe(true);
  expect(statusesOfFate('rerunnable').every(allow('retry-ordered'))).toBe(true);
  expect(statusesOfFate('keeps-result').some(allow('question-changed'))).toBe(false);
  expect(statusesOfFate('keeps-result').some(allow('retry-ordered'))).toBe(false);
});

test.each([
  [{ gone: 1, newRows: 1, rows: 2 }, true],
  [{ gone: 0, newRows: 1, rows: 2 }, false],
  [{ gone: 1, newRows: 0, rows: 2 }, false],
  [{ gone: 2, newRows: 2, rows: 2 }, false],
])('new rows are compared with those that leave only where both can meet: %j is %s', (counts, isSo) => {
  expect(mayBeAskedBefore(counts)).toBe(isSo);
});
