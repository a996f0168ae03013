import { describe, expect, it } from 'vitest';
import type { Formula } from '../../../src/service/simulator/clip-formulas.ts';
import { type Layout, layOut } from '../../../src/service/simulator/clip-layout.ts';
import { type Means, type Part, partsOf } from '../../../src/service/simulator/clip-text.ts';

/** Letters half an em wide, and formulas that have the width of their source; fractions are tall. */
const means: Means = {
  measure: (text) => Array.from(text).length / 2,
  formulaOf: async (source) => (source.includes('\\unknown') ? null : formulaOf(source)),
};

function formulaOf(elements: string): Formula {
  return { elements, width: elements.length / 2, height: elements.includes('\\frac') ? 4 : 0.8, depth: 0.2 };
}

const shown = (part: Part): string => (part.kind === 'word' ? part.text : `<${part.elements}>`);

const textOf = async (text: string): Promise<string> => (await partsOf(text, means)).map(shown).join('');

/** The words that are drawn in this script. */
async function inScript(script: string, text: string): Promise<string> {
  const parts = await partsOf(text, means);
  return parts
    .flatMap((part) => (part.kind === 'word' && part.script === script ? [part.text] : []))
    .join('');
}

describe('the parts of a text', () => {
  const x = 'x'.repeat(190);
  it.each([
    ['a formula in dollars', 'half is $\\frac12$!', 'half is <\\frac12>!'],
    ['a text that is a formula', '\\frac{1}{2}', '<\\frac{1}{2}>'],
    ['money', 'from $5 to $6', 'from $5 to $6'],
    ['a formula that cannot be drawn', 'see $\\unknown_1$.', 'see \\unknown_1.'],
    ['a formula that does not fit', `${x} $x^2 + y^2 = z^2$ and more`, `${x} …`],
    ['a text that does not fit', `$x_1$ ${x}${x}`, `<x_1> ${'x'.repeat(196)}…`],
    ['a formula longer than all that is drawn', `$${'x^'.repeat(150)}2$`, `${'x^'.repeat(100)}…`],
    ['line breaks and control characters', 'a\n\tb\u001b[31m\u202e', 'a b[31m'],
    ['nothing', '', ''],
  ])('%s', async (_, text, parts) => {
    expect(await textOf(text)).toBe(parts);
  });

  it.each([
    ['an English text', 'Tom’s “two” 2', '', 'Tom’s “two” 2'],
    ['a Chinese text', '“两”个，2', '“两”个，2', ''],
    ['a Chinese text with English words', '请把“It’s”翻译成中文', '请把“”翻译成中文', 'It’s'],
    ['an English text with a Chinese word', 'What does “你好” mean?', '', 'What does “你好” mean?'],
    ['a Chinese text of formulas', '求 $\\sqrt{\\frac12}$ 的“值”', '求  的“值”', ''],
  ])('%s has the quotes of its script', async (_, text, chinese, latin) => {
    expect([await inScript('chinese', text), await inScript('latin', text)]).toEqual([chinese, latin]);
  });
});

describe('the lines of a text', () => {
  const box = { width: 100, height: 100 };
  const lay = async (text: string, fontSizes = [20, 10]): Promise<Layout> =>
    layOut(await partsOf(text, means), box, fontSizes, means);
  const linesOf = ({ lines }: Layout): string[] => lines.map(({ parts }) => parts.map(shown).join(''));

  it.each([
    ['the largest size that fits', 'one two', 20, ['one two']],
    ['words are kept whole', 'some words to set', 20, ['some words', 'to set']],
    ['a full stop stays at its word', 'some words.', 20, ['some words.']],
    ['a word longer than a line is broken', 'abcdefghijklm', 20, ['abcdefghij', 'klm']],
    ['a formula is kept whole', 'let $x_1+x_2$ be', 20, ['let', '<x_1+x_2>', 'be']],
    ['a formula on a line of its own', 'let\n$$x_1$$\nbe', 20, ['let', '<x_1>', 'be']],
    ['nothing', ' ', 20, []],
    [
      'the smallest size, and a sign for the rest',
      'abcde '.repeat(33),
      10,
      [...Array<string>(6).fill('abcde abcde abcde'), 'abcde abcde abcde…'],
    ],
  ])('%s', async (_, text, fontSize, lines) => {
    const layout = await lay(text);
    expect([linesOf(layout), lines.length === 0 || layout.fontSize]).toEqual([
      lines,
      lines.length === 0 || fontSize,
    ]);
  });

  it('a formula larger than the picture becomes smaller', async () => {
    for (const text of ['$x_1+x_2+x_3+x_4+x_5+x_6$', '$\\frac12$']) {
      const fontSizes = [text.length > 10 ? 20 : 40];
      const { lines, fontSize } = await lay(text, fontSizes);
      const [line] = lines;
      const [formula] = line?.parts ?? [];
      if (formula?.kind !== 'formula' || line === undefined) throw new Error('the formula is not there');
      expect(formula.scale).toBeLessThan(1.15);
      expect(formula.width * fontSize).toBeLessThanOrEqual(box.width + 1e-9);
      expect((line.height + line.depth) * fontSize).toBeLessThanOrEqual(box.height + 1e-9);
    }
  });
});
