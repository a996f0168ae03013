import { describe, expect, it, test } from 'vitest';
import { splitFormulas } from '../../src/text/formulas.ts';
import { type LatexCell, parseLatexTable } from '../../src/text/latex-table.ts';

const textOf = ({ pieces }: LatexCell) =>
  pieces.map(({ kind, text }) => (kind === 'text' ? text : `<${text}>`)).join('');
const cellsOf = (text: string) => parseLatexTable(text)?.rows.map((cells) => cells.map(textOf));
const tabular = (spec: string, body: string) => `\\begin{tabular}{${spec}}${body}\\end{tabular}`;
const linesOf = ({ isLineBefore, isLineAfter, isLineAbove, isLineBelow }: LatexCell) =>
  [isLineBefore && 'before', isLineAfter && 'after', isLineAbove && 'above', isLineBelow && 'below']
    .filter((line) => line !== false)
    .join(' ');

test('a table has its rows, cells, sides and lines', () => {
  const table = parseLatexTable(
    tabular('|l|c|r|', ' \\hline\nx & 1 & $x^2$ \\\\ \\hline\n7 days & 5\\% & \\$4 \\\\[2pt]\n\\hline\n'),
  );
  expect(table?.rows.map((cells) => cells.map(textOf))).toEqual([
    ['x', '1', '<x^2>'],
    ['7 days', '5%', '$4'],
  ]);
  expect(table?.rows[0]?.map(({ align }) => align)).toEqual(['left', 'center', 'right']);
  expect(table?.rows[0]?.map(linesOf)).toEqual(['before after above', 'after above', 'after above']);
  expect(table?.rows[1]?.map(linesOf)).toEqual([
    'before after above below',
    'after above below',
    'after above below',
  ]);
});

test('a line may go under some columns only, and a cell across several', () => {
  const body =
    '\\multicolumn{2}{c|}{Both} & z \\\\ \\cline{1-2} a & b & c \\\\ \\cmidrule(lr){3-3} d & e & f';
  const rows = parseLatexTable(tabular('lll', body))?.rows ?? [];
  expect(rows.map((cells) => cells.map(({ span }) => span))).toEqual([
    [2, 1],
    [1, 1, 1],
    [1, 1, 1],
  ]);
  expect(rows.map((cells) => cells.map(linesOf))).toEqual([
    ['after', ''],
    ['above', 'above', ''],
    ['', '', 'above'],
  ]);
  expect(rows[0]?.map(textOf)).toEqual(['Both', 'z']);
});

describe('the columns are read', () => {
  it.each([
    ['lcr', 3],
    ['*{3}{c|}', 3],
    ['p{3cm} m {2cm}X', 3],
    ['@{}l>{\\centering}c<{x}!{\\vrule}r@{ }', 3],
    ['||c||', 1],
  ])('of %s', (spec, count) => {
    const [cells] = parseLatexTable(tabular(spec, Array(count).fill('a').join('&')))?.rows ?? [];
    expect(cells).toHaveLength(count);
  });

  it('of tables of a given width, of booktabs, and of arrays whose cells are text', () => {
    expect(cellsOf('\\begin{tabular*}{\\textwidth}[t]{cc}a&b\\end{tabular*}')).toEqual([['a', 'b']]);
    expect(cellsOf('\\begin{tabularx}{5cm}{X}a\\end{tabularx}')).toEqual([['a']]);
    expect(cellsOf('\\begin{array}{c} $x$ is \\\\ y\\end{array}')).toEqual([['<x> is'], ['y']]);
    const booktabs = '\\toprule[1pt] a \\\\ \\midrule b \\\\ \\bottomrule';
    expect(parseLatexTable(tabular('c', booktabs))?.rows.map(([cell]) => cell && linesOf(cell))).toEqual([
      'above',
      'above below',
    ]);
  });
});

describe('a cell', () => {
  it.each([
    ['{a & b}', '{a & b}'],
    ['\\textbf{Total}', 'Total'],
    ['\\textbf{$x$ m}', '<x> m'],
    ['the \\emph{new} one', 'the new one'],
    ['\\multirow{2}{*}{Age}', 'Age'],
    ['\\multirow{2}*{Age}', 'Age'],
    ['\\multirow{2}{*} x', '\\multirow{2}{*} x'],
    ['\\makecell{a\\\\ b}', 'a\nb'],
    ['a \\& b \\_ \\#', 'a & b _ #'],
    ['\\underline{\\hspace{1cm}}', '______'],
    ['\\centering a\\quad b', 'a   b'],
    ['\\begin{tabular}{c}x&y\\\\z\\end{tabular}', '<\\begin{tabular}{c}x&y\\\\z\\end{tabular}>'],
    ['$\\begin{pmatrix}1&2\\\\3&4\\end{pmatrix}$', '<\\begin{pmatrix}1&2\\\\3&4\\end{pmatrix}>'],
    ['\\{1\\}', '{1}'],
    ['\\multicolumn{1}{c}{x} y', 'x y'],
    ['\\multicolumn{x}{c}{y}', '\\multicolumn{x}{c}{y}'],
    ['\\multicolumn2cy', '\\multicolumn2cy'],
    ['a\\tabularnewline', 'a'],
  ])('%j is %j', (cell, shown) => {
    expect(cellsOf(tabular('cc', cell))?.[0]).toEqual([shown]);
  });

  it('beyond the last column is like one in it', () => {
    const [cells] = parseLatexTable(tabular('|l|r|', 'a & b & c & d'))?.rows ?? [];
    expect(cells?.map(({ align }) => align)).toEqual(['left', 'right', 'right', 'right']);
    expect(cells?.map(linesOf)).toEqual(['before after', 'after', 'after', 'after']);
  });
});

describe('what cannot be read is no table', () => {
  it.each([
    'no table',
    '\\begin{tabular}{c}a',
    '\\begin{tabular}a & b\\end{tabular}',
    '\\begin{tabular}{c a\\end{tabular}',
    '\\begin{tabular*}a\\end{tabular*}',
    tabular('', 'a'),
    tabular('q', 'a'),
    tabular('q{x}', 'a'),
    tabular('*{2}', 'a'),
    tabular('*{999}{c}', 'a'),
    tabular('*{0}{c}', 'a'),
    tabular('c'.repeat(61), 'a'),
    tabular('*{60}{*{60}{c}}', 'a'),
    tabular('cc', 'a&'.repeat(2_001)),
  ])('%j', (text) => {
    expect(parseLatexTable(text)).toBeNull();
  });
});

describe('a table is found in a text', () => {
  const table = tabular('|c|', '\\hline $x$ \\\\ \\hline');
  it.each([
    [`Look: ${table} and say`, ['Look: ', table, ' and say']],
    [`\\[ ${table} \\]`, [table]],
    [`$$${table}$$.`, [table, '.']],
    [`$${table}$`, [table]],
    [`A\n\\begin{center}\n${table}\n\\end{center}\nB`, ['A\n', table, '\nB']],
    [`\\begin{table}[h]\\centering ${table}\\end{table}`, [table]],
    [`$${table} x$`, ['$', table, ' x$']],
    ['\\begin{array}{c}$x$\\end{array}', ['\\begin{array}{c}$x$\\end{array}']],
  ])('%j', (text, pieces) => {
    expect(splitFormulas(text).map((piece) => piece.text)).toEqual(pieces);
    expect(splitFormulas(text).filter(({ kind }) => kind === 'table')).toHaveLength(1);
  });

  it('but not without its end, and an array of formulas is a formula', () => {
    expect(splitFormulas('\\begin{tabular}{c} a')).toEqual([{ kind: 'text', text: '\\begin{tabular}{c} a' }]);
    const array = '\\begin{array}{c}x\\text{ if $y$}\\end{array}';
    expect(splitFormulas(array)).toEqual([{ kind: 'display', text: array }]);
  });
});
