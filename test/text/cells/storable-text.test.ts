import { expect, test } from 'vitest';
import { storable, withoutNul } from '../../../src/text/cells/storable-text.ts';

test.each([
  ['a\0b\0', 'a\ufffdb\ufffd', 'a\ufffdb\ufffd'],
  ['\ud800a\udfff', '\ufffda\ufffd', '\ud800a\udfff'],
  ['\u{1f3ac} \\u0000', '\u{1f3ac} \\u0000', '\u{1f3ac} \\u0000'],
])('%j is kept as %j, and is %j without U+0000', (text, kept, plain) => {
  expect([storable(text), withoutNul(text)]).toEqual([kept, plain]);
});
