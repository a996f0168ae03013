import { describe, expect, it, test } from 'vitest';
import {
  isOfRun,
  keyColumnIn,
  parseRowKey,
  renderRowKey,
  StrayTexts,
  textMark,
  tokenMark,
} from '../../src/text/ids/row-key.ts';
import { otherSpellings } from '../../src/text/ids/same-number.ts';

const run = '0123456789abcdef';

test('a key says which run, row, text and attempt, whatever a program does to blanks and letters', () => {
  const text = textMark('What is $\\pi$?');
  const key = renderRowKey(run, { key: 3417, attempt: 2, token: 'a-token' }, 'What is $\\pi$?');
  expect(key).toBe(`b01234567-3417-${text}-2-${tokenMark('a-token')}`);
  const parsed = { run: '01234567', item: 3417, text, attempt: 2, token: tokenMark('a-token') };
  for (const cell of [key, ` ${key}\n`, key.toUpperCase()]) expect(parseRowKey(cell)).toEqual(parsed);
  expect([run, 'ffff'].map((id) => isOfRun(parsed, id))).toEqual([true, false]);
});

test('an attempt without a token, and a key of an earlier version, say less', () => {
  expect(renderRowKey(run, { key: 1, attempt: 0, token: null }, '')).toBe(`b01234567-1-${textMark('')}-0`);
  expect(parseRowKey('b01234567-1-89abcdef-12')).toMatchObject({ attempt: 12, token: '' });
  expect(parseRowKey('b01234567-1-89abcdef')).toMatchObject({ attempt: null, token: '' });
});

test.for([
  '',
  '2024',
  'b01234567-3417',
  'b01234567-x-89abcdef',
  'b01234567-1-89abcdef-',
  'b01234567-1-89abcdef-2-xyz',
  '=b01234567-1-89abcdef',
])('%j is no key', (cell) => expect(parseRowKey(cell)).toBeNull());

test('a text keeps its mark through line ends and outer blanks, and no other text has it', () => {
  expect(textMark(' 一\r\n二 ')).toBe(textMark('一\n二'));
  expect(new Set(Array.from({ length: 5_000 }, (_, at) => textMark(`What is ${at} + 1?`))).size).toBe(5_000);
  expect(textMark('')).toMatch(/^[0-9a-f]{8}$/);
});

test('the last column of the name is the one with keys', () => {
  expect(keyColumnIn(['batch', 'id', ' Batch_2 ', 'batches'])).toBe(2);
  expect(keyColumnIn(['id', 'batch size'])).toBe(-1);
});

describe('a line', () => {
  const lineOf = (line: number, id: string, was: string, text = was) => {
    return {
      line,
      id,
      key: { run: '01234567', item: line, text: textMark(was), attempt: 1, token: '' },
      text,
    };
  };
  const strays = (...lines: ReturnType<typeof lineOf>[]) => {
    const texts = new StrayTexts();
    for (const each of lines) texts.add(each);
    return texts.found();
  };

  it('with the text of another line is told with both rows', () => {
    expect(strays(lineOf(2, 'a', 'one', 'two'), lineOf(3, 'b', 'two', 'one'))).toEqual([
      { line: 2, id: 'a', other: 'b' },
      { line: 3, id: 'b', other: 'a' },
    ]);
  });

  it('that is as it was, has a new text, a text that both had, or none, is not', () => {
    expect(strays(lineOf(2, 'a', 'one'), lineOf(3, 'b', 'two', 'new'))).toEqual([]);
    expect(strays(lineOf(2, 'a', 'one'), lineOf(3, 'b', 'one'), lineOf(4, 'c', 'two', ' '))).toEqual([]);
  });
});

describe('an id', () => {
  it.for([
    ['1.1', '1.10'],
    ['7', '007'],
    ['7', '7.0'],
    ['0', '000'],
    ['10', '0010.0'],
  ] as const)('%s is the number %s for a spreadsheet', ([one, other]) => {
    expect(otherSpellings(one)).toContain(other);
    expect(otherSpellings(other)).toContain(one);
  });

  it.for([
    ['1.1', '1.1'],
    ['1.1', '1.01'],
    ['10', '100'],
    ['1', '-1'],
    ['q1', 'q01'],
    ['1.1.1', '1.1.10'],
    ['', '0'],
  ] as const)('%s is not %s', ([one, other]) => {
    expect(otherSpellings(one)).not.toContain(other);
    expect(otherSpellings(other)).not.toContain(one);
  });

  it('has other spellings, among them those that people number rows with', () => {
    expect(otherSpellings('1.1')).toEqual(expect.arrayContaining(['1.10', '1.100', '01.1']));
    expect(otherSpellings('7')).toEqual(expect.arrayContaining(['007', '0007', '7.0']));
    for (const each of otherSpellings('12.50')) expect(Number(each)).toBe(12.5);
    expect(otherSpellings('+10')).toContain('10');
    for (const none of ['q1', '-3', '1.1.1']) expect(otherSpellings(none)).toEqual([]);
  });
});
