import { describe, expect, it } from 'vitest';
import { doubtOf, type IdFacts, type IdTrust, isMadeUp, noIdFacts } from '../../src/money/row-identity.ts';

/** One row that was sent has another text, in a file in which some text is known. */
const changed: IdFacts = { ...noIdFacts, keeping: 1, isAnyTextKnown: true };
const silent: IdTrust = {
  isSaid: false,
  isGuessed: false,
  rerunChanged: false,
  add: false,
  isMended: false,
};

describe('the ids of an edited file are in doubt', () => {
  it.for([
    ['rows came', { newRows: 1 }],
    ['rows went', { gone: 1 }],
    ['the text of a changed row is now under another id', { hasRival: true }],
  ] as const)('where rows were renumbered and %s', ([, more]) => {
    expect(doubtOf({ ...changed, renumbered: 1, ...more }, silent)).toBe('renumbered');
    expect(doubtOf({ ...changed, ...more }, silent)).toBeNull();
    expect(doubtOf({ ...changed, renumbered: 1, ...more, keeping: 0 }, silent)).toBeNull();
  });

  it('where no text is known and the column only may be an id', () => {
    const facts = { ...changed, isAnyTextKnown: false };
    expect(doubtOf(facts, { ...silent, isGuessed: true })).toBe('other-file');
    expect(doubtOf(facts, silent)).toBeNull();
    expect(doubtOf(changed, { ...silent, isGuessed: true })).toBeNull();
  });

  it('where added rows have ids of rows that are there', () => {
    expect(doubtOf(changed, { ...silent, add: true })).toBe('added');
    expect(doubtOf(changed, { ...silent, add: true, isMended: true })).toBeNull();
  });

  it.for(['isSaid', 'rerunChanged'] as const)('and not once the user says what they mean: %s', (word) => {
    const facts = { ...changed, renumbered: 1, newRows: 1 };
    for (const trust of [silent, { ...silent, add: true }])
      expect(doubtOf(facts, { ...trust, [word]: true })).toBeNull();
  });

  it('and not where rows were swapped and others edited in their places', () => {
    expect(doubtOf({ ...changed, renumbered: 2 }, silent)).toBeNull();
  });
});

it('an id that the tool may have made up begins as those do', () => {
  expect(['row-42', 'was-q1', 'q-row-1', ''].map(isMadeUp)).toEqual([true, true, false, false]);
});
