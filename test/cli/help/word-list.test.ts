import { describe, expect, it, test } from 'vitest';
import { renderWordList, wrapText } from '../../../src/cli/help/word-list.ts';

const rows = [
  ['run FILE', 'make a video of every question in FILE; the same line resumes'],
  ['status', 'where the run stands'],
] as const;

describe('a list of words and meanings', () => {
  it('lines the meanings up, and goes on below them', () => {
    expect(renderWordList(rows, 50)).toEqual([
      '  run FILE  make a video of every question in',
      '            FILE; the same line resumes',
      '  status    where the run stands',
    ]);
  });

  it('puts the meanings below the words where there is no room beside them', () => {
    expect(renderWordList(rows, 40)).toEqual([
      '  run FILE',
      '      make a video of every question in',
      '      FILE; the same line resumes',
      '  status',
      '      where the run stands',
    ]);
  });

  it('breaks no word, however narrow', () => {
    expect(wrapText('a word-that-is-long b', 5)).toEqual(['a', 'word-that-is-long', 'b']);
  });
});

test('a word that is longer than the common column has its meaning below it', () => {
  expect(renderWordList([['merge FILE...', 'marks of several reviewers']], 80, 6)).toEqual([
    '  merge FILE...',
    '          marks of several reviewers',
  ]);
});
