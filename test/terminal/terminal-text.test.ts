import { expect, test } from 'vitest';
import { toTerminalJson, toTerminalLine, toTerminalText } from '../../src/terminal/terminal-text.ts';

test.each([
  ['\u001b[31mred\u001b[0m', 'red'],
  ['\u001b]8;;http://evil/\u0007link\u001b]8;;\u0007', 'link'],
  ['\u009b2Jcleared', 'cleared'],
  ['a\u0007b\u0008c\u007f', 'abc'],
  ['one\r\ntwo\tthree\u2028four\u0085five', 'one two three four five'],
  ['\u202egpj.exe\u202c \u2066x\u2069\u200f', 'gpj.exe x'],
  ['  题目: 1 + 1 = 2, é, 👩‍🚀  ', '题目: 1 + 1 = 2, é, 👩‍🚀'],
  ['\ufff9a\ufffab\ufffb\u{e0061}', 'ab'],
])('%j is shown as %j', (text, shown) => {
  expect(toTerminalText(text)).toBe(shown);
});

test('an order that is hidden in another one does not come out of it', () => {
  expect(toTerminalText('\u001b\u001b[31m[31mred')).not.toMatch(/[\u0000-\u001f\u007f-\u009f]/);
});

test('a whole line keeps the space at its ends', () => {
  expect(toTerminalLine('  two\u001b[2J in ')).toBe('  two in ');
});

test('JSON has no order and still says exactly the same', () => {
  const value = { a: '\u009b2J\u007f\u202e\u2028', b: '\u{e0061}题目 "q" 👩‍🚀' };
  expect(toTerminalJson(value)).toMatch(/^[^\u007f-\u009f\u2028-\u202e\u{e0000}-\u{e007f}]+$/u);
  expect(toTerminalJson(value)).toContain('题目');
  expect(JSON.parse(toTerminalJson(value))).toEqual(value);
});
