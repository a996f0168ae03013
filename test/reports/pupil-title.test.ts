import { expect, test } from 'vitest';
import { pupilTitle } from '../../src/reports/pupil-title.ts';

const words = 'one two three four five six seven eight nine ten '.repeat(3);
const long = `\\frac{${'1+'.repeat(60)}1}{2}`;

test.each([
  ['the title of the service', ' A sum ', 'What is 1 + 1?', 'A sum'],
  ['a short question', null, ' What is\n1 + 1? ', 'What is 1 + 1?'],
  ['a title of blanks', ' ', 'Question', 'Question'],
  ['no text', null, '', ''],
  [
    'a long question',
    null,
    words,
    'one two three four five six seven eight nine ten one two three four five six…',
  ],
  ['a long question without blanks', null, '求'.repeat(100), `${'求'.repeat(80)}…`],
  ['signs of two units', null, '😀'.repeat(100), `${'😀'.repeat(80)}…`],
  ['formulas', null, 'Add $\\frac{1}{2}$ and $$x^2$$.', 'Add \\(\\frac{1}{2}\\) and \\(x^2\\).'],
  ['a long formula behind words', null, `Solve now $${long}$ and more`, 'Solve now…'],
  ['a long formula alone', null, `$${long}$ and more`, ''],
  ['a table', null, 'See \\begin{tabular}{c}1\\end{tabular} here', 'See…'],
])('%s', (_, title, question, shown) => {
  expect(pupilTitle(title, question)).toBe(shown);
});
