import { describe, expect, it } from 'vitest';
import type { Status } from '../../src/money/item.ts';
import type { Source } from '../../src/money/question.ts';
import { contentIn, hashOfRequest, readSent, readSentTexts } from '../../src/money/sent-question.ts';

const source: Source = {
  file: 'questions.csv',
  format: 'csv',
  folder: '/questions',
  columns: ['question', 'answer'],
  fields: { question: 'question', answer: 'answer' },
};
const input = { question: '1 + 1 = ?', answer: '2' };
const saved = { ofQuestion: '1 + 1 = ?', ofAnswer: '2', since: 2 };
const rowOf = (
  status: Status,
  attempt: number,
  texts: { readonly question: string | null; readonly answer: string | null } | null,
) => ({
  item: { status, attempt },
  input,
  source,
  correction: texts === null ? null : { ...saved, ...texts },
});
const both = { question: '7 + 1 = ?', answer: '8' };

describe('the texts that were sent', () => {
  it('are the corrected ones from the attempt on that was ordered with them', () => {
    expect(readSent(rowOf('failed', 2, both))).toMatchObject({
      question: both,
      own: { question: input },
      corrected: { question: { from: '1 + 1 = ?', to: '7 + 1 = ?' }, answer: { from: '2', to: '8' } },
    });
    expect(readSent(rowOf('completed', 1, both))).toMatchObject({ question: input, corrected: null });
    expect(readSent(rowOf('completed', 2, null))).toMatchObject({ question: input, corrected: null });
  });

  it('are those of the file where a text was right', () => {
    expect(readSent(rowOf('failed', 2, { question: null, answer: '8' }))).toMatchObject({
      question: { question: '1 + 1 = ?', answer: '8' },
      corrected: { answer: { from: '2', to: '8' } },
    });
    expect(readSent(rowOf('failed', 2, { question: '7 + 1 = ?', answer: null }))).toMatchObject({
      question: { question: '7 + 1 = ?', answer: '2' },
    });
  });

  it('of a row that waits are those that will be sent', () => {
    for (const status of ['pending', 'invalid'] as const)
      expect(readSentTexts(rowOf(status, 0, both))).toMatchObject(both);
    expect(readSentTexts(rowOf('pending', 0, null))).toMatchObject(input);
  });
});

it.each([
  [hashOfRequest('body', 'content'), 'content'],
  ['of an earlier build', null],
  [null, null],
])('what a row said is in the hash of its request: %s', (hash, content) => {
  expect(contentIn(hash)).toBe(content);
});
