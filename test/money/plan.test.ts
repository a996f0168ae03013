import { describe, expect, test } from 'vitest';
import { type Status, statuses } from '../../src/money/item.ts';
import {
  isAsShown,
  isOutcomeAsShown,
  mayBeAskedBefore,
  type Plan,
  type RowOutcome,
  statusesOfOutcome,
} from '../../src/money/plan.ts';
import { isLegal } from '../../src/money/transition.ts';
import { emptyPlan } from '../support/empty-plan.ts';

const outcomes = ['takes-text', 'rerunnable', 'keeps-result'] as const;

test('a changed row that no task was made of takes its new text', () => {
  expect(statusesOfOutcome('takes-text')).toEqual(['pending', 'invalid', 'rejected']);
});

test('a changed row whose task has ended may be paid again', () => {
  expect(statusesOfOutcome('rerunnable')).toEqual(['completed', 'failed', 'undelivered', 'lost']);
});

test('a changed row that may still be made at the service keeps its result', () => {
  expect(statusesOfOutcome('keeps-result')).toEqual(['submitting', 'open', 'downloading', 'uncertain']);
});

test('every status has exactly one outcome', () => {
  expect(outcomes.flatMap(statusesOfOutcome).sort()).toEqual([...statuses].sort());
});

test('a outcome is one that the machine allows', () => {
  const allow = (type: 'question-changed' | 'retry-ordered') => (status: Status) => isLegal(status, type);
  expect(statusesOfOutcome('takes-text').every(allow('question-changed'))).toBe(true);
  expect(statusesOfOutcome('rerunnable').every(allow('retry-ordered'))).toBe(true);
  expect(statusesOfOutcome('keeps-result').some(allow('question-changed'))).toBe(false);
  expect(statusesOfOutcome('keeps-result').some(allow('retry-ordered'))).toBe(false);
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
  const isSo = (now: Partial<Plan>, add: boolean): boolean => isAsShown(shown, { ...shown, ...now }, { add });

  test.each<[string, Partial<Plan>, boolean, boolean]>([
    ['nothing has happened', {}, true, true],
    ['rows were submitted by another process', { toSubmit: 4 }, true, true],
    ['a changed row was submitted', { changedUnsent: 1, changedSent: 2, toSubmit: 8 }, true, true],
    ['others have brought some of its rows', { newRows: 2, toSubmit: 8 }, false, true],
    ['more rows are new', { newRows: 4 }, false, false],
    ['other rows are gone', { gone: 0 }, false, false],
    ['more rows have changed', { changedSent: 2 }, false, false],
    ['fewer rows have changed', { changedUnsent: 1 }, false, false],
    ['other rows have a new id', { renumbered: 0 }, false, false],
    ['other rows cannot be sent', { unsendable: 2 }, false, false],
  ])('is the one that was shown, or not, where %s', (_, now, alone, added) => {
    expect([isSo(now, false), isSo(now, true)]).toEqual([alone, added]);
  });

  test.each<[RowOutcome, readonly RowOutcome[]]>([
    ['new', ['new', 'waiting', 'again', 'kept']],
    ['waiting', ['waiting', 'again', 'kept']],
    ['again', ['waiting', 'again', 'kept']],
    ['kept', ['waiting', 'kept']],
  ])('a row that was %s may be %j', (before, allowed) => {
    const all: readonly RowOutcome[] = ['new', 'waiting', 'again', 'kept'];
    expect(all.filter((now) => isOutcomeAsShown(before, now))).toEqual(allowed);
  });
});
