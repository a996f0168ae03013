/** Formulas: KaTeX, handed to the page's script, which is the same with and without it. */

import katex from 'katex';

declare global {
  var katexOfPage: Pick<typeof katex, 'render'> | undefined;
}

globalThis.katexOfPage = katex;
