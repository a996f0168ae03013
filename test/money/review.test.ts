import { describe, expect, it } from 'vitest';
import {
  type Correction,
  correctedQuestion,
  correctionInForce,
  isEmptyMark,
  planCorrection,
  type ReviewMark,
} from '../../src/money/review.ts';

const own = { question: '1 + 1 = ?', answer: '2' };
const correction: Correction = {
  question: '7 + 1 = ?',
  answer: null,
  ofQuestion: own.question,
  ofAnswer: own.answer,
  since: 2,
};

describe('a correction', () => {
  it('is sent in place of the text that was corrected, and of no other', () => {
    expect(correctedQuestion({ ...own, id: 'q1' }, correction)).toEqual({
      id: 'q1',
      question: '7 + 1 = ?',
      answer: '2',
    });
    expect(correctedQuestion(own, { ...correction, question: null, answer: '8' })).toEqual({
      question: '1 + 1 = ?',
      answer: '8',
    });
    expect(correctedQuestion(own, null)).toBe(own);
  });

  it('gives way to the file once that has another text', () => {
    for (const edited of [
      { ...own, question: '2 + 2 = ?' },
      { ...own, answer: '3' },
    ]) {
      expect(correctedQuestion(edited, correction)).toBe(edited);
      expect(correctionInForce(edited, correction)).toBeNull();
    }
    expect(correctionInForce(own, correction)).toBe(correction);
  });

  it('stays when another program saved the file, with other line ends and blanks around a text', () => {
    const lines = { ...correction, ofQuestion: 'a\nb' };
    for (const question of ['a\r\nb', 'a\nb ', ' a\rb'])
      expect(correctionInForce({ question, answer: '2 ' }, lines)).toBe(lines);
    expect(correctionInForce({ question: 'a b', answer: '2' }, lines)).toBeNull();
  });

  it('is what a reviewer wrote, where that is another text', () => {
    expect(planCorrection(own, { question: '7 + 1 = ?', answer: null }, 2)).toEqual(correction);
    expect(planCorrection(own, { question: '', answer: ' 8 ' }, 3)).toEqual({
      ...correction,
      question: null,
      answer: ' 8 ',
      since: 3,
    });
    const lines = { question: 'a\nb', answer: '' };
    for (const same of [
      { question: null, answer: null },
      { question: ' ', answer: '' },
      { question: 'a\r\nb ', answer: null },
    ])
      expect(planCorrection(lines, same, 2)).toBeNull();
  });
});

describe('a mark', () => {
  it('is empty where it says nothing', () => {
    const empty: ReviewMark = {
      reviewer: 'Anna',
      mark: '',
      note: '',
      attempt: 1,
      question: null,
      answer: null,
      at: 0,
    };
    expect(isEmptyMark(empty)).toBe(true);
    for (const part of [{ mark: 'good' as const }, { note: 'n' }, { question: 'q' }, { answer: '' }])
      expect(isEmptyMark({ ...empty, ...part })).toBe(false);
  });
});
