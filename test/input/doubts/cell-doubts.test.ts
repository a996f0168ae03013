import { describe, expect, test } from 'vitest';
import { type CellExample, cellDoubts, doubtsAbout } from '../../../src/input/doubts/cell-doubts.ts';

const doubtsOf = (cell: CellExample): string[] => {
  const whole = { question: 'What is 1 + 1?', areWordsTexts: false, ...cell };
  return doubtsAbout(whole).map(({ id }) => id);
};

describe('each note about cells', () => {
  test.each(cellDoubts.map((doubt) => ({ doubt, id: doubt.id })))(
    '$id: is about its example only',
    ({ doubt }) => {
      expect(doubtsOf(doubt.odd)).toEqual([doubt.id]);
      expect(doubtsOf(doubt.plain)).toEqual([]);
    },
  );

  test('has an id of its own, and its words in both languages', () => {
    expect(new Set(cellDoubts.map(({ id }) => id)).size).toBe(cellDoubts.length);
    for (const { id, what, so } of cellDoubts) {
      expect(id).toMatch(/^[a-z]+(?:-[a-z]+)*$/);
      expect(what.en).toMatch(/^with /);
      expect(`${what.zh}${so.zh}`).toMatch(/^\p{Script=Han}/u);
    }
  });
});

test('a cell that holds the pictures themselves is not searched for several', () => {
  const text = 'a.png;'.repeat(20_000);
  expect(doubtsOf({ field: 'answerImages', text })).toEqual([]);
});

test('what is noted of texts is not noted of other cells', () => {
  for (const { odd } of cellDoubts) expect(doubtsOf({ ...odd, field: 'id' })).toEqual([]);
});

test('words for a missing value are texts where the user says so, and are noted', () => {
  const cell = { field: 'answer', text: 'nan' } as const;
  expect(doubtsOf(cell)).toEqual(['missing-answer']);
  expect(doubtsOf({ ...cell, areWordsTexts: true })).toEqual(['sent-word']);
  expect(doubtsOf({ ...cell, text: 'N/A' })).toEqual(['sent-word']);
  expect(doubtsOf({ ...cell, field: 'quality' })).toEqual(['missing-entry']);
  expect(doubtsOf({ ...cell, text: '略', areWordsTexts: true })).toEqual(['sent-word']);
});

test('an answer of a program is noted unless the question is about programs', () => {
  const answersOf = (text: string, question = 'What is 1 + 1?'): string[] =>
    doubtsOf({ field: 'answer', text, question });
  for (const text of ['[object Object]', '########', 'Loading...', 'Array', "b'What is it?'", '###'])
    expect([text, answersOf(text)]).toEqual([text, ['program-answer']]);
  expect(answersOf("b'What is it?'", 'What does print(x) show?')).toEqual([]);
  expect(answersOf('Array', '输出的类型是什么？')).toEqual([]);
  expect(answersOf('loading dock')).toEqual([]);
});
