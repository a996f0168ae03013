import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { unsendableReason } from '../../src/files/image-source.ts';
import { loadHtmlLibrary } from '../../src/input/html-library.ts';
import { hasNamedCharacter, htmlToText } from '../../src/input/html-text.ts';

const library = await loadHtmlLibrary();
const read = (html: string) => {
  const { text, images } = htmlToText(html, library);
  return { text, images };
};

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
    [
      '<p>Fill in <unknown>, <your name>, <option> and <table of contents></p>',
      'Fill in <unknown>, <your name>, <option> and <table of contents>',
    ],
    ['<p>$a <b and c> d$ <i>x</i>, h3 <h1 and h2> h4</p>', '$a <b and c> d$ x, h3 <h1 and h2> h4'],
    ['<p>x <p and q = 3, <td and</p>', 'x <p and q = 3, <td and'],
    ['<table border><tr><td nowrap>x</td><td foo bar="1">1</td></tr></table>', 'x\t1'],
    ['<p>a</p><script async>var a;</script><xml>junk</xml><template>t</template>', 'a'],
    ['<div hidden>9</div><p>4 + 5?<span style="color:red; display : none">9</span></p>', '4 + 5?'],
    ['<del>2</del>3 <s>5</s><span style="text-decoration:line-through">7</span>', '3'],
    ['<p>读<ruby>汉<rp>(</rp><rt>hàn</rt><rp>)</rp></ruby></p>', '读汉'],
    [
      '5 = <input type="text" value="10"><input type="hidden" value="5"> <input type="radio"> a<textarea></textarea>',
      '5 = ____  a____',
    ],
    [
      '<p><q>x</q> <time>now</time> <nobr>y</nobr><o:p></o:p><app-root><p>z</p></app-root><my-end></my-end></p>',
      'x now y\nz',
    ],
    ['&amp;lt;p&amp;gt;What is &amp;lt;b&amp;gt;1&amp;lt;/b&amp;gt;?&amp;lt;/p&amp;gt;', 'What is 1?'],
    ['<p style="overflow:hidden; backface-visibility:hidden; opacity: 0.5">x</p>', 'x'],
    [
      'What is <note id="1"><to>Tove</to></note> &amp; why?',
      'What is <note id="1"><to>Tove</to></note> & why?',
    ],
    ['<p>x</p><details open><summary>Hint</summary>h</details>', 'x\nHint\nh'],
    ['&lt;p&gt;code&lt;/p&gt;', '<p>code</p>'],
    ['How do you write &amp;lt;?', 'How do you write &lt;?'],
    ['<p>is <a href="https://x.example/a.html">it</a> or <a>x</a></p>', 'is it or x'],
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
    expect(read('See <image alt="x" src="a.png"/> it')).toEqual({
      text: 'See  it',
      images: ['a.png'],
    });
  });

  const gif = 'data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7';

  test.each([
    [`<img data-src="d.png" src="${gif}">`, ['d.png']],
    ['<img data-original="e.png" src="/static/loading.gif?v=1">', ['e.png']],
    ['<img srcset="s.png 1x, l.png 2x">', ['s.png']],
    ['<input type="image" src="a.png">', ['a.png']],
    ['<img src="a.png" data-src="b.png" srcset="c.png 2x">', ['a.png']],
    [
      `<img src="data:image/png;base64,${'A'.repeat(3000)}" data-url="x">`,
      [`data:image/png;base64,${'A'.repeat(3000)}`],
    ],
    [
      `<img data-src="a.png" src="${gif}"><noscript><img src="a.png"><img src="b.png"></noscript>`,
      ['a.png', 'b.png'],
    ],
    ['<picture><source srcset="c.webp"><img src="c.png"></picture>', ['c.png']],
    ['<a href="https://x.example/a.png?b">figure</a>', ['https://x.example/a.png?b']],
    ['<a href="large.png"><img src="small.png"></a>', ['small.png']],
    ['<a href="https://x.example/wiki/File:A.png">source</a>', []],
    ['<p>a<del><img src="x.png"></del></p>', []],
  ])('%s has the images %j', (html, images) => {
    expect(read(html).images).toEqual(images);
  });

  test.each([
    [
      '<img class="equation_image" src="/equation_images/x" alt="LaTeX: x+1" data-equation-content="x + 1">',
      '$x + 1$',
    ],
    ['<img class="latex" alt="x^2" src="x.png">', '$x^2$'],
    ['<img alt="\\frac{1}{2}" src="x.png">', '$\\frac{1}{2}$'],
    ['<img alt="\\(x\\)" src="x.png">', '\\(x\\)'],
    ['<img src="https://www.zhihu.com/equation?tex=x" alt="x" eeimg="1">', '$x$'],
    ['<img src="https://www.zhihu.com/equation?tex=x" alt="[公式]">', null],
    ['<img src="x.png" alt="a triangle ABC" data-latex="true">', null],
  ])('%s is the formula %j', (html, formula) => {
    const { text, images } = read(`Solve ${html}`);
    expect(text).toBe(formula === null ? 'Solve' : `Solve ${formula}`);
    expect(images).toHaveLength(formula === null ? 1 : 0);
  });

  test('what is left out is known, and what nobody could see is not', () => {
    const leavesOut = (html: string) => htmlToText(html, library).hasUnseen;
    for (const html of [
      '<s>5</s>4',
      '<p hidden>x</p>',
      '<img hidden src="a.png">',
      '<del><b><img src="a.png"></b></del>',
    ])
      expect(leavesOut(html), html).toBe(true);
    for (const html of ['<p>x</p><script>y</script>', '<p hidden> </p>x', '<input type="hidden" value="1">'])
      expect(leavesOut(html), html).toBe(false);
  });

  test.each([
    ['<ol reversed><li>x</ol>', 'counted down'],
    ['<audio controls src="a.mp3"></audio>', '<audio>'],
    ['<p>a <select><option>x<option>y</select></p>', '<select>'],
    ['<a href="sound/a.mp3">Listen</a>', 'a.mp3'],
    [`<img src="${gif}">`, 'of one point'],
    ['<picture><source srcset="c.webp"></picture>', 'without src'],
    ['<p style="background: url(b.png)">x</p>', 'behind its text'],
    ['<td background="b.png">x</td>', 'behind its text'],
    ['<mjx-container>x</mjx-container>', '<mjx-container>'],
    ['<mjx-math><mjx-c class="x"></mjx-c></mjx-math>', '<mjx-c>'],
    ['<p>a <geo-app src="x"> b</p>', '<geo-app>'],
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
