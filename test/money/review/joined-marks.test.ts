import { describe, expect, it } from 'vitest';
import { type GivenMark, joinMarks } from '../../../src/money/review/joined-marks.ts';

const given = (by: string, part: Partial<GivenMark> = {}): GivenMark => ({
  id: 'q1',
  key: null,
  mark: 'bad',
  note: '',
  attempt: 1,
  unreadable: null,
  question: null,
  answer: null,
  prefer: '',
  reviewer: '',
  row: '',
  status: '',
  broken: null,
  line: 2,
  by,
  ...part,
});
const joined = (...marks: readonly GivenMark[]) => joinMarks(marks)[0];

describe('the marks of a row', () => {
  it('that say the same are one', () => {
    expect(joined(given('anna', { question: 'a\r\nb ' }), given('ben', { question: 'a\nb' }))).toMatchObject({
      id: 'q1',
      mark: 'bad',
      isCalledBad: true,
      attempt: 1,
      question: 'a\r\nb ',
      answer: null,
      conflicts: [],
    });
    expect(joined(given('anna', { mark: '' }), given('ben', { mark: null }))).toMatchObject({
      mark: '',
      isCalledBad: false,
      conflicts: [],
    });
    expect(joinMarks([given('anna'), given('anna', { id: 'q2' }), given('ben')]).map(({ id }) => id)).toEqual(
      ['q1', 'q2'],
    );
  });

  it('that contradict each other are no verdict, and say who says what', () => {
    expect(joined(given('anna'), given('ben', { mark: 'good' }))).toMatchObject({
      mark: '',
      isCalledBad: true,
      conflicts: [{ about: 'mark', words: 'anna: bad, ben: good' }],
    });
    expect(joined(given('anna', { question: 'x' }), given('ben', { question: 'y' }))).toMatchObject({
      mark: '',
      question: null,
      conflicts: [{ about: 'question', words: 'anna, ben: different texts of the question' }],
    });
    expect(joined(given('anna', { answer: 'x' }), given('ben', { answer: 'X' }))?.conflicts).toHaveLength(1);
  });

  it('of an earlier attempt do not count beside those of a later one', () => {
    expect(joined(given('anna'), given('ben', { mark: 'good', attempt: 2 }))).toMatchObject({
      mark: 'good',
      isCalledBad: false,
      attempt: 2,
      conflicts: [],
    });
  });

  it('count for the attempt that one of them names where another names none: used twice, they pay once', () => {
    expect(joined(given('anna', { attempt: null }), given('ben', { attempt: 2 }))).toMatchObject({
      mark: 'bad',
      attempt: 2,
    });
    expect(joined(given('anna', { attempt: null }), given('ben', { attempt: 2, mark: '' }))).toMatchObject({
      mark: 'bad',
      attempt: 2,
    });
    expect(joined(given('anna', { attempt: null }), given('ben', { attempt: 0 }))?.attempt).toBe(0);
    expect(joined(given('anna', { attempt: null }))?.attempt).toBeNull();
    expect(joined(given('anna', { attempt: null, mark: 'good' }), given('ben', { attempt: 2 }))?.mark).toBe(
      '',
    );
  });

  it('count for the attempt of the verdict where a note says none', () => {
    expect(joined(given('anna'), given('ben', { attempt: null, mark: '', note: 'Nice.' }))).toMatchObject({
      mark: 'bad',
      attempt: 1,
    });
  });
});
