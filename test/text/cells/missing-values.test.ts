import { describe, expect, test } from 'vitest';
import {
  isDoubtfulAnswer,
  isMissingAnswer,
  isMissingEntry,
  isMissingValue,
} from '../../../src/text/cells/missing-values.ts';

describe('a missing value', () => {
  test.each(['nan', 'NaN', 'NULL', ' null ', '\\N', '<NA>', '[NULL]', 'undefined', '#N/A'])(
    'is %j, as any cell and as an answer',
    (cell) => {
      expect([isMissingValue(cell), isMissingEntry(cell), isDoubtfulAnswer(cell)]).toEqual([
        true,
        true,
        false,
      ]);
      expect(isMissingAnswer(cell, 'What is 1 + 1?')).toBe(true);
    },
  );

  test.each(['None', 'NA', 'N/A'])('is %j where no text is meant; as an answer it may be one', (cell) => {
    expect([isMissingValue(cell), isMissingEntry(cell), isDoubtfulAnswer(cell)]).toEqual([false, true, true]);
    expect(isMissingAnswer(cell, 'What is 1 + 1?')).toBe(false);
  });

  test.each(['', 'Nan', 'none', 'null and void', 'Na', 'nan.png', '0', `nan${' '.repeat(30)}`])(
    'is not %j',
    (cell) => {
      expect([isMissingValue(cell), isMissingEntry(cell), isDoubtfulAnswer(cell)]).toEqual([
        false,
        false,
        false,
      ]);
      expect(isMissingAnswer(cell, 'What is 1 + 1?')).toBe(false);
    },
  );

  test.each([
    ['NULL', 'What does NULL = NULL give?'],
    ['NULL', 'SELECT MAX(x) FROM t, where t is empty: what is the result?'],
    ['null', 'Which value does a nullable field have at first?'],
    ['NaN', 'What is 0/0 as a floating point number?'],
    ['undefined', 'What does [].find(x => x) return?'],
    ['undefined', 'What is the slope of a vertical line?'],
    ['undefined', 'tan 90° 的值是？'],
    ['\\N', 'What does \\N stand for in a dump?'],
    ['null', '下列代码输出什么？'],
  ])('is not %j as the answer to %j', (answer, question) => {
    expect(isMissingAnswer(answer, question)).toBe(false);
  });

  test.each([
    ['nan', 'How many bananas are 3 + 4?'],
    ['NULL', 'What is the slope of y = 2x?'],
    ['nan', 'What is 1/0.5?'],
    ['nan', '$a \\neq b$, a = 1: what is b?'],
    ['nan', ''],
  ])('is %j as the answer to %j', (answer, question) => {
    expect(isMissingAnswer(answer, question)).toBe(true);
  });
});
