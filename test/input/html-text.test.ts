import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { unsendableReason } from '../../src/files/image-source.ts';
import { loadHtmlLibrary } from '../../src/input/html-library.ts';
import { hasNamedCharacter, htmlToText } from '../../src/input/html-text.ts';

const library = await loadHtmlLibrary();
const read = (html: string) => htmlToText(html, library);

describe('HTML as text', () => {
  test.each([
    ['<p>one</p><p>two<br>three</p>', 'one\ntwo\nthree'],
    ['<p>one</p>\n  <p>&nbsp;</p>\n  <p>two</p>', 'one\ntwo'],
    ['one<br/><br />two', 'one\n\ntwo'],
    ['<div>a<div>b</div>c</div>', 'a\nb\nc'],
    ['H<sub>2</sub>O, x<sup>10</sup>, y<SUP> 2 </SUP>, z<sup></sup>', 'H_2O, x^{10}, y^2, z'],
    ['x<sub>a<sup>2</sup></sub>', 'x_{a^2}'],
    ['x<sup>1<br>2<br>3</sup>y', 'x^{1\n2\n3}y'],
    ['<p>a<sub>i<sup>2<p>j</p></sup></sub></p>', 'a_{i^{2\nj\n}}'],
    ['a &lt; b &amp;&amp; c &#62; d &times; &nbsp;e', 'a < b && c > d ×  e'],
    ['<ul><li>one<li>two</ul>', '- one\n- two'],
    ['<ol><li>one</li><li>two<ul><li>in</li></ul></li><li>three</li></ol>', '1. one\n2. two\n- in\n3. three'],
    ['<ol type="A"><li>4<li value="4">7</ol><ol start="3"><li>x</li></ol>', 'A. 4\nD. 7\n3. x'],
    ['<ol type="a"><li>x<ol type="i"><li>y</ol><li>z</ol><li>w', 'a. x\ni. y\nb. z\n- w'],
    [
      '3 &times; 4, AT&T, a &lt b, R&D;, &timesx; &notanentity; &amp;pi; &semi;',
      '3 × 4, AT&T, a &lt b, R&D;, &timesx; &notanentity; &pi; ;',
    ],
    ['<p>the <image> and <image 1></p>', 'the <image> and <image 1>'],
    ['<table><tr><td>a</td><td>b</td></tr><tr><td>c</td><td>d</td></tr></table>', 'a\tb\nc\td'],
    ['<b>bold</b> and <font color="red">red</font>', 'bold and red'],
    ['<!-- a note --><style>p {}</style>text<script>alert(1)</script>', 'text'],
    ['<p><script type="math/tex; mode=display"> x^2 </script> is</p>', '$x^2$ is'],
    ['<unknown>x</unknown>', '<unknown>x</unknown>'],
  ])('%j is %j', (html, text) => {
    expect(read(html)).toEqual({ text, images: [] });
  });

  test('formulas stay as they are', () => {
    for (const formula of [
      '$a<b$ und $b>c$',
      '$a<b>c$',
      '\\[ \\begin{aligned} x &= 1 \\\\ y &\\neq 2 \\end{aligned} \\]',
      '$\\{x \\mid x<i\\}$',
      '\\begin{matrix} a & b \\\\ copy &copy c \\end{matrix}',
      '\\frac{1}{2} \\nu \\rho \\t',
      'x < p and y',
    ])
      expect(read(`<p>${formula}</p>`)).toEqual({ text: formula, images: [] });
    expect(read('<p>$a &lt; b &amp; c$</p>').text).toBe('$a < b & c$');
  });

  test('text that was escaped comes back, whatever it is', () => {
    const letters = fc.string({
      unit: fc.constantFrom('a', 'b', '<', '>', '&', 'p', '/', ';', '题', '\\', '$'),
    });
    const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
    fc.assert(
      fc.property(letters, (text) => {
        expect(read(`<p>${escaped(text)}</p>`)).toEqual({ text: text.trim(), images: [] });
      }),
    );
  });

  test('no text is lost without a word: nothing but tags goes', () => {
    const piece = fc.constantFrom(
      '<p>',
      '</p>',
      '<b>',
      '</b>',
      '<i',
      '<br',
      '<!--',
      '-->',
      '<script>',
      '"',
      'x',
      '<td a=',
      '&',
    );
    fc.assert(
      fc.property(fc.array(piece), (pieces) => {
        const { text, images } = read(`${pieces.join('')}end`);
        const isTold = images.some((image) => unsendableReason(image) !== null);
        const isDropped = pieces.includes('<script>') || pieces.includes('<!--');
        if (!isTold && !isDropped) expect(text.endsWith('end')).toBe(true);
      }),
      { numRuns: 500 },
    );
  });
});

describe('images of HTML', () => {
  test('are the entries of an image column', () => {
    expect(
      read(
        '<p>See <img alt="x" src="a.png"> <img src=" https://x.example/b.png?c=1&amp;d=2 "/><IMG SRC="//x.example/c.png"></p>',
      ),
    ).toEqual({
      text: 'See',
      images: ['a.png', 'https://x.example/b.png?c=1&d=2', 'https://x.example/c.png'],
    });
  });

  test('may have the old name of their tag', () => {
    expect(read('<p>See <image alt="x" src="a.png"/> it</p>')).toEqual({
      text: 'See  it',
      images: ['a.png'],
    });
  });

  test.each([
    ['<ol reversed><li>x</ol>', 'counted down'],
    ['<img alt="x">', 'without src'],
    ['<p><svg><path d="x"/></svg></p>', '<svg>'],
    ['<math><mi>x</mi></math>', '<math>'],
    ['<p>cut <img src="a.png"', 'cut off'],
    ['<p>cut <!-- and', 'cut off'],
    [`${'<sup>'.repeat(99)}x${'</sup>'.repeat(99)}`, 'nested too deep'],
    ['<p>cut <script> and', 'cut off'],
  ])('%s makes its row invalid', (html, why) => {
    expect(read(html).images.map(unsendableReason)).toEqual([expect.stringContaining(why)]);
  });
});

test('a name of a character may be all the HTML of a cell', () => {
  for (const text of ['3 &times; 4', '&pi;', 'R&D; &le;'])
    expect(hasNamedCharacter(text, library), text).toBe(true);
  for (const text of ['AT&T', 'R&D;', 'a &lt b', '&timesx;', '&&;', '&#8734;', 'x'])
    expect(hasNamedCharacter(text, library), text).toBe(false);
});
