import { expect, test } from 'vitest';
import { cutLine, cutText } from '../../../src/text/cells/cut-text.ts';

test.each([
  ['four', 'four'],
  ['longer', 'long…'],
  ['𝒙𝒚𝒛', '𝒙𝒚…'],
  ['abc𝒙', 'abc\u{fffd}…'],
])('%j in four letters is %j', (text, cut) => {
  expect(cutText(text, 4)).toBe(cut);
});

test('a line has no breaks, and no blanks around it', () => {
  expect(cutLine(' one\r\n\t two\u3000three ', 8)).toBe('one two …');
});
