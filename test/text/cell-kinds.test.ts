import { expect, test } from 'vitest';
import { hasMarkdownImage, isHtml, isSheetError, isSheetFormula } from '../../src/text/cell-kinds.ts';

const kinds = {
  error: isSheetError,
  formula: isSheetFormula,
  html: isHtml,
  'markdown-image': hasMarkdownImage,
};
const kindsOf = (text: string): string[] =>
  Object.entries(kinds).flatMap(([kind, isOf]) => (isOf(text) ? [kind] : []));

test.each([
  ['#NAME?', ['error']],
  [' #REF! ', ['error']],
  ['#DIV/0!', ['error']],
  ['=SUM(A1:A3)', ['formula']],
  ['<image src="a.png">', ['html']],
  ['<image> and <image 1>: which?', []],
  ["'=SUM(A1:A3)", ['formula']],
  ["'=SUM(A1:A3)' adds what?", []],
  ['=$B$12+1', ['formula']],
  ['=A1', ['formula']],
  ['<p>x</p>', ['html']],
  ['x<br>y', ['html']],
  ['see <img src="a.png">', ['html']],
  ['a &lt; b', ['html']],
  ['<p>one', ['html']],
  ['<div hidden>x', ['html']],
  ['<td nowrap>x', ['html']],
  ['<mjx-container>x</mjx-container>', ['html']],
  ['<img alt="x">', ['html']],
  ['How do you center an <img> with <div foo> or <p and q>?', []],
  ['see ![figure 1](images/a.png "A")', ['markdown-image']],
  ['<b>x</b> ![](a.png)', ['html', 'markdown-image']],
])('%j is %j', (text, expected) => {
  expect(kindsOf(text)).toEqual(expected);
});

test.each(
  `#WERT! #BEZUG! #ZAHL! #NV #VALEUR! #NOM? #¡VALOR! #¡VALOR #¿NOMBRE? #NÚM! #N/D #DEEL/0! #ИМЯ? #ЗНАЧ! #Н/Д #DĚLENÍ_NULOU! #DEĞER! Err:508 #ERROR! #CONNECT!`.split(
    ' ',
  ),
)('%j is an error', (text) => {
  expect(kindsOf(text)).toEqual(['error']);
});

test.each([
  '',
  'What is 1+1?',
  '#1 of the list',
  '#A!',
  '#hashtag!',
  'Err: 502',
  '#REF! was shown',
  '=2x+1',
  '=f(x)',
  '=x^2',
  'a<b and b>c',
  '$a<b>c$',
  '$x<p>y$',
  '\\begin{matrix} a & b \\\\ c &lt d \\end{matrix}',
  'array[i](x)',
  '5! [sic]',
])('%j is plain text', (text) => {
  expect(kindsOf(text)).toEqual([]);
});
