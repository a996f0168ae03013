import { expect, test } from 'vitest';
import { parseMarkBody } from '../../../src/money/review/review-wire.ts';

const whole = { mark: 'bad', note: 'n', attempt: 1 };
const parse = (value: unknown) => parseMarkBody(JSON.stringify(value));

test('a mark is taken with what it says, and a blank text is none', () => {
  expect(parse(whole)).toEqual({ ...whole, question: null, answer: null });
  const full = {
    ...whole,
    mark: 'good',
    question: 'q',
    answer: ' ',
    prefer: 2,
    reviewer: ' Anna ',
    other: 1,
  };
  expect(parse(full)).toEqual({
    ...whole,
    mark: 'good',
    question: 'q',
    answer: null,
    prefer: 2,
    reviewer: 'Anna',
  });
  expect(parse({ ...whole, mark: '', prefer: null })).toMatchObject({ mark: '', prefer: null });
});

test('anything else is none', () => {
  for (const text of ['', '{', '1', 'null', '[]']) expect(parseMarkBody(text)).toBeNull();
  for (const part of [
    { mark: 'ok' },
    { mark: undefined },
    { note: 1 },
    { note: 'x'.repeat(100_001) },
    { note: 'a\0' },
    { note: '\ud800' },
    { attempt: -1 },
    { attempt: 1.5 },
    { attempt: '1' },
    { question: 1 },
    { answer: {} },
    { prefer: 'latest' },
    { reviewer: null },
    { reviewer: 'x'.repeat(201) },
  ])
    expect(parse({ ...whole, ...part }), JSON.stringify(part).slice(0, 60)).toBeNull();
});
