import { describe, expect, test } from 'vitest';
import { type Status, statuses } from '../../src/money/item.ts';
import { isAsShown, mayBeAskedBefore, type Plan, statusesOfFate } from '../../src/money/plan.ts';
import { isLegal } from '../../src/money/transition.ts';
import { emptyPlan } from '../support/empty-plan.ts';

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

describe('an import, some time after its plan was shown,', () => {
  const shown: Plan = {
    ...emptyPlan,
    newRows: 3,
    gone: 1,
    changedUnsent: 2,
    changedSent: 1,
    renumbered: 1,
    unsendable: 1,
    toSubmit: 9,
  };

  test.each<[string, Partial<Plan>]>([
    ['nothing has happened', {}],
    ['rows were submitted by another process', { toSubmit: 4 }],
    ['a changed row was submitted', { changedUnsent: 1, changedSent: 2, toSubmit: 8 }],
  ])('is the one that was shown where %s', (_, now) => {
    expect(isAsShown(shown, { ...shown, ...now })).toBe(true);
  });

  test.each<[string, Partial<Plan>]>([
    ['more rows would be paid for', { toSubmit: 10 }],
    ['other rows are new', { newRows: 4 }],
    ['other rows are gone', { gone: 0 }],
    ['more rows have changed', { changedSent: 2 }],
    ['fewer rows have changed', { changedUnsent: 1 }],
    ['other rows have a new id', { renumbered: 0 }],
    ['other rows cannot be sent', { unsendable: 2 }],
  ])('is another where %s', (_, now) => {
    expect(isAsShown(shown, { ...shown, ...now })).toBe(false);
  });
});
