import { expect, test } from 'vitest';
import { type Status, statuses } from '../../src/core/item.ts';
import { statusesOfFate } from '../../src/core/plan.ts';
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
