import { describe, expect, test } from 'vitest';
import {
  isDoubtfulAnswer,
  isMissingAnswer,
  isMissingEntry,
  isMissingValue,
  isNoneTo,
  mayBeNoAnswer,
  showsNothing,
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

describe('an answer that says there is none here', () => {
  const question = '求 x²=9 的解。';
  test.each([
    ...[
      '略',
      '（略）',
      '略。',
      '证明略',
      '见解析',
      '详见解析',
      '答案见附件',
      '见上图',
      '如图所示',
      '暂无答案',
      '待补充',
    ],
    ...['TBD', 'todo', 'To be added', 'See solution', 'see the explanation below.', 'siehe Lösung', 'nan'],
  ])('is %j', (answer) => {
    expect(isNoneTo(answer, question)).toBe(true);
  });

  test.each([
    '',
    '3',
    '略大于 3',
    '见解析几何',
    'see you',
    'solution',
    '如图，x=3',
    '无',
    '/',
    'None',
    `略${' '.repeat(50)}`,
  ])('is not %j', (answer) => {
    expect(isNoneTo(answer, question)).toBe(false);
  });

  test.each([
    ['略', '“侵略”的第二个字是什么？'],
    ['to be determined', 'What does TBD stand for?'],
    ['TBA', 'Abbreviate: to be announced'],
    ['NULL', 'What does NULL + 1 give?'],
  ])('is not %j to %j', (answer, asked) => {
    expect(isNoneTo(answer, asked)).toBe(false);
  });

  test('is doubtful where it is a sign, or a word that may be right', () => {
    const may = ['无', '/', '-', '—', '？', '...', '暂无', '答案不唯一', 'Answers will vary.'];
    const not = ['', '无解', '1/2', '-1', '/'.padEnd(50)];
    expect([...may, ...not].filter((answer) => mayBeNoAnswer(answer))).toEqual(may);
  });
});

test('nothing shows in blanks and letters without a form', () => {
  const blank = [
    '',
    ' ',
    '\t\n',
    '\u200b',
    '\u2060',
    '\u00ad',
    '\u3164',
    '\u2800',
    '\u200e\u200f',
    '\ufe0f',
    '\ufeff',
    '\u3000',
  ];
  const shown = ['.', '\u200bx', '\u0301a', '👨‍👩‍👧', '\ufffd'];
  expect([...blank, ...shown].filter((text) => showsNothing(text))).toEqual(blank);
});
