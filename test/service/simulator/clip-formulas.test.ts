import { expect, it } from 'vitest';
import { drawFormula } from '../../../src/service/simulator/clip-formulas.ts';
import { schoolSigns } from '../../../src/text/formulas.ts';

it.each([
  ['a fraction', '\\frac{1}{2}'],
  ['a root', '\\sqrt{x^2+1}'],
  ['a system', '\\begin{cases}x+y=1\\\\x-y=3\\end{cases}'],
  ['a matrix', '\\begin{pmatrix}1&2\\\\3&4\\end{pmatrix}'],
  ['Chinese words', '\\text{面积}=2\\,\\mathrm{cm}^2'],
  ['colours', '\\color{red}{x}'],
  ['degrees', '90\\degree'],
  ['a bold letter', '\\bm{a}'],
  ['the arrow of a reaction', '\\xlongequal{\\text{加热}}'],
  ['cases in large', '\\begin{dcases}\\frac12\\end{dcases}'],
  ...Object.entries(schoolSigns).map(([sign, meaning]) => [
    sign,
    meaning.includes('#1') ? `${sign}{AB}` : sign,
  ]),
] as [string, string][])('%s is drawn', (_, source) => {
  const { width, height, depth, elements } = drawFormula(source, false);
  expect(width).toBeGreaterThan(0.3);
  expect(height + depth).toBeGreaterThan(0.3);
  expect(elements).toMatch(/<(path|text)/);
});

it.each([
  ['an unknown command', '\\unknown{1}'],
  ['a brace too many', '\\frac{1}{2}}'],
  ['a definition', '\\def\\a{\\a\\a}\\a'],
  ['what never ends', '{'.repeat(5_000)],
])('%s is refused', (_, source) => {
  expect(() => drawFormula(source, false)).toThrow();
});

it('what a drawing package without style sheets needs is in the elements', () => {
  const { elements } = drawFormula('\\begin{array}{|c:c|}\\hline 1&2\\\\\\hline\\end{array}', true);
  expect(elements).not.toContain('class="mjx-');
  expect(elements).not.toContain('stroke-width="0"');
  expect(elements).toContain('stroke-dasharray');
  expect(drawFormula('\\overline{ABC}', false).elements).not.toContain('<svg');
});

it('an inline formula is lower than one on a line of its own', () => {
  const heightOf = (isDisplay: boolean) => drawFormula('\\frac{1}{2}', isDisplay).height;
  expect(heightOf(false)).toBeLessThan(heightOf(true));
});
