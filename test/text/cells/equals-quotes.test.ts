import { expect, test } from 'vitest';
import { withoutEqualsQuotes } from '../../../src/text/cells/equals-quotes.ts';

test.each([
  ['="007"', '007'],
  ['="1/2"', '1/2'],
  ['=""', ''],
  ['="a ""b"""', 'a "b"'],
  ['="two\nlines"', 'two\nlines'],
])('%j is the text %j', (cell, text) => {
  expect(withoutEqualsQuotes(cell)).toBe(text);
});

test.each(['', '007', '=7', '="a" & "b"', '="a', '="a"b"', ' ="a"', `'="a"`, '="a" '])(
  '%j is as it is',
  (cell) => {
    expect(withoutEqualsQuotes(cell)).toBe(cell);
  },
);
