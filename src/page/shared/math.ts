/** Formulas: KaTeX, in a script of its own, so that the page's script is the same with and without it. */

import katex from 'katex';

declare global {
  var katexOfPage: Pick<typeof katex, 'render'> | undefined;
}

globalThis.katexOfPage = katex;
