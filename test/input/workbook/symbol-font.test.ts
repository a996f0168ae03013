import { expect, it } from 'vitest';
import { fromSymbolFont, isSymbolFont } from '../../../src/input/workbook/symbol-font.ts';

it.each([
  ['a + b = p/2', 'α + β = π/2'],
  ['DABC £ ¥', 'ΔΑΒΧ ≤ ∞'],
  ['òþ', '∫⎭'],
  ['\uf071\uf0b0', 'θ°'],
  ['第3题 * - \u0085ÿ', '第3题 * - \u0085ÿ'],
])('shows %s as %s', (text, shown) => {
  expect(fromSymbolFont(text)).toBe(shown);
});

it('knows the font by its whole name', () => {
  expect(['Symbol', ' SYMBOL', 'Segoe UI Symbol', 'Symbola'].map(isSymbolFont)).toEqual([
    true,
    true,
    false,
    false,
  ]);
});
