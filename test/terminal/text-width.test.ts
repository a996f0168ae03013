import fc from 'fast-check';
import stringWidth from 'string-width';
import { expect, test } from 'vitest';
import { toTerminalText } from '../../src/terminal/terminal-text.ts';
import { textParts } from '../../src/terminal/text-parts.ts';
import { commandParts, cutText, fitText, textWidth } from '../../src/terminal/text-width.ts';
import { terminalOrders } from '../hostile/terminal-orders.ts';

test.each([
  ['row-17', 6],
  ['题目', 4],
  ['ａ', 2],
  ['e\u0301', 1],
  ['👩‍👩‍👧', 6],
  ['', 0],
])('%j takes %d columns, at most', (text, width) => {
  expect(textWidth(text)).toBe(width);
});

test.each([
  ['三角形的斜边', 12, '三角形的斜边'],
  ['三角形的斜边', 11, '三角形的...'],
  ['三角形的斜边', 10, '三角形...'],
  ['三角形的斜边', 4, '...'],
  ['三角形的斜边', 2, '..'],
  ['三角形的斜边', 0, ''],
  ['三角形的斜边', -1, ''],
  ['hypotenuse', 9, 'hypote...'],
])('%s in %d columns is %s', (text, width, cut) => {
  expect(cutText(text, width)).toBe(cut);
});

test('a text fitted to a width has that width', () => {
  expect(fitText('题目', 6)).toBe('题目  ');
  expect(fitText('题目题目', 6)).toBe('题... ');
  expect(fitText('题目题目', 7)).toBe('题目...');
});

test('no text, however it is made, is wider than the room it was cut for', () => {
  const hostile = fc.oneof(
    fc.constantFrom(...terminalOrders),
    fc.string({ unit: 'grapheme', maxLength: 60 }),
    fc.string({ unit: 'binary', maxLength: 60 }),
  );
  fc.assert(
    fc.property(hostile, fc.integer({ min: 0, max: 30 }), (text, width) => {
      const cut = cutText(toTerminalText(text), width);
      expect(textWidth(cut)).toBeLessThanOrEqual(width);
      expect(stringWidth(cut)).toBeLessThanOrEqual(width);
    }),
    { numRuns: 300 },
  );
});

test('a text of a million letters is measured and cut as fast as a short one', () => {
  expect(textWidth('题'.repeat(1_000_000))).toBe(8_000);
  expect(cutText('e\u0301'.repeat(1_000_000), 5)).toBe(`${'e\u0301'.repeat(2)}...`);
});

test('a line may begin with any Chinese letter, but not with what closes, nor end with what opens', () => {
  const parts = textParts('已用（约 12,040 积分），见 `batch status`。');
  expect(parts.map(({ gap, text }) => gap + text)).toEqual([
    '已',
    '用',
    '（约',
    ' 12,040',
    ' 积',
    '分），',
    '见',
    ' `batch',
    ' status`。',
  ]);
});

test('the parts of a text are the whole text', () => {
  const letters = fc.constantFrom(...('a1`-（）“”，。…、题é \u{1f600}'.match(/./gu) ?? []));
  fc.assert(
    fc.property(fc.string({ unit: fc.oneof(letters, fc.string({ minLength: 1, maxLength: 1 })) }), (text) => {
      const joined = textParts(text).map(({ gap, text: part }) => gap + part);
      expect(joined.join('').trim()).toBe(text.replace(/ +/g, ' ').trim());
    }),
    { numRuns: 300 },
  );
});

test('a command in backticks is one part of a line, unless it is too wide for any', () => {
  const text = '用 `batch resolve x --list`，或 `batch collect x`';
  const textsOf = (widest: number) => commandParts(text, widest).map((part) => part.text);
  expect(textsOf(40)).toEqual(['用', '`batch resolve x --list`，', '或', '`batch collect x`']);
  expect(textsOf(20)).toEqual(['用', '`batch', 'resolve', 'x', '--list`，', '或', '`batch collect x`']);
  expect(commandParts('a lonely ` b', 40).map((part) => part.text)).toEqual(['a', 'lonely', '`', 'b']);
});
