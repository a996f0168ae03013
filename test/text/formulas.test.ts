import { describe, expect, it, test } from 'vitest';
import { hasFormula, splitFormulas } from '../../src/text/formulas.ts';
import { money, withFormulas } from './formula-texts.ts';

const formulasOf = (text: string) =>
  splitFormulas(text)
    .filter(({ kind }) => kind !== 'text')
    .map((piece) => piece.text);

describe('a formula is found', () => {
  it.each(withFormulas)('in %j', (text, ...formulas) => {
    expect(formulasOf(text)).toEqual(formulas);
    expect(hasFormula(text)).toBe(true);
  });
});

describe('a dollar sign is money, or only itself', () => {
  it.each(money)('in %j', (text) => {
    expect(formulasOf(text)).toEqual([]);
    expect(hasFormula(text)).toBe(false);
  });
});

test('what stands between formulas is kept, and an escaped dollar is a dollar', () => {
  expect(splitFormulas('He has \\$5.\nSo $x$ and \\[y\\] \\\\ \\alpha.')).toEqual([
    { kind: 'text', text: 'He has $5.\nSo ' },
    { kind: 'inline', text: 'x' },
    { kind: 'text', text: ' and ' },
    { kind: 'display', text: 'y' },
    { kind: 'text', text: ' \\\\ \\alpha.' },
  ]);
  expect(splitFormulas('')).toEqual([]);
});

test('an environment ends with its own end', () => {
  const inner = '\\begin{matrix}a\\end{matrix}';
  const outer = `\\begin{matrix}${inner}&b\\end{matrix}`;
  expect(splitFormulas(`${outer}.`)).toEqual([
    { kind: 'display', text: outer },
    { kind: 'text', text: '.' },
  ]);
});

test.each([
  ['$$x$$', 'display'],
  ['so\n $$x$$.\nand', 'display'],
  ['点$$A$$到', 'inline'],
  ['$$A$$地', 'inline'],
  ['在 $$A$$', 'inline'],
])('two dollars make a display where the formula has its line for itself: %j', (text, kind) => {
  expect(splitFormulas(text).find((piece) => piece.kind !== 'text')?.kind).toBe(kind);
});

test('a formula is not looked for without end', () => {
  const far = 'x'.repeat(6_000);
  for (const text of [`$${far}$`, `$$${far}$$`, `\\(${far}\\)`, `\\begin{align}${far}\\end{align}`])
    expect(splitFormulas(text)).toEqual([{ kind: 'text', text }]);
  const late = `${'a '.repeat(60_000)}$x$`;
  expect(splitFormulas(late)).toEqual([{ kind: 'text', text: late }]);
});
