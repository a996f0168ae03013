import { expect, test } from 'vitest';
import { choiceCount, isChoicesName, namesChoice } from '../../../src/input/doubts/choices.ts';

test('columns of choices have one of these names', () => {
  for (const name of ['choices', 'Options', 'answer_choices', '选项', 'mc-choices'])
    expect(isChoicesName(name)).toBe(true);
  for (const name of ['option 1', 'A', 'answer', 'optional', 'chapter'])
    expect(isChoicesName(name)).toBe(false);
});

test.each([
  [['4', '6', '7', '9'], 4],
  [{ label: ['A', 'B'], text: ['yes', 'no'] }, 2],
  [{ A: 'yes', B: 'no', C: 'neither' }, 3],
  [
    [
      { label: 'A', text: 'yes' },
      { label: 'B', text: 'no' },
    ],
    2,
  ],
  ['["4", "6"]', 2],
  ['{"A": "4", "B": "6"}', 2],
  ['A. 4  B. 6\nC. 7', 3],
  ['（A）4；（B）6', 2],
  [['4'], 0],
  ['[4', 0],
  ['A. 4', 0],
  ['easy', 0],
  [4, 0],
  [null, 0],
])('%j holds %i choices', (value, count) => {
  expect(choiceCount(value)).toBe(count);
});

test('an answer names one of four choices by its letter or its number', () => {
  for (const answer of ['C', 'c', ' D ', 'AC', 'A,C', 'B、D', '0', '2', '4', '2.0'])
    expect(namesChoice(answer, 4), answer).toBe(true);
  for (const answer of ['', 'E', 'CA', 'AA', 'BAD', 'ad', '5', '-1', '2.5', '5.0', 'seven', 'A'.repeat(30)])
    expect(namesChoice(answer, 4), answer).toBe(false);
});
