/**
 * Formulas as pictures, drawn by MathJax. It is large, so that this file is loaded with the first formula, and the build
 * puts the parts that are used into this file.
 */

import { MathJaxTexFont } from '@mathjax/mathjax-tex-font/mjs/svg.js';
import { liteAdaptor } from '@mathjax/src/js/adaptors/liteAdaptor.js';
import { RegisterHTMLHandler } from '@mathjax/src/js/handlers/html.js';
import { TeX } from '@mathjax/src/js/input/tex.js';
import { mathjax } from '@mathjax/src/js/mathjax.js';
import { SVG } from '@mathjax/src/js/output/svg.js';
import '@mathjax/src/js/input/tex/ams/AmsConfiguration.js';
import '@mathjax/src/js/input/tex/base/BaseConfiguration.js';
import '@mathjax/src/js/input/tex/boldsymbol/BoldsymbolConfiguration.js';
import '@mathjax/src/js/input/tex/cancel/CancelConfiguration.js';
import '@mathjax/src/js/input/tex/color/ColorConfiguration.js';
import '@mathjax/src/js/input/tex/configmacros/ConfigMacrosConfiguration.js';
import '@mathjax/src/js/input/tex/extpfeil/ExtpfeilConfiguration.js';
import '@mathjax/src/js/input/tex/gensymb/GensymbConfiguration.js';
import '@mathjax/src/js/input/tex/mathtools/MathtoolsConfiguration.js';
import '@mathjax/src/js/input/tex/textmacros/TextMacrosConfiguration.js';
import { schoolSigns } from '../../text/formulas.ts';

/** A drawn formula; `width`, and `height` and `depth` from the line it stands on, in em of its own font. */
export interface Formula {
  readonly width: number;
  readonly height: number;
  readonly depth: number;
  /** Its elements, in thousandths of an em, the line it stands on at 0. */
  readonly elements: string;
}

const packages = [
  'base',
  'ams',
  'boldsymbol',
  'cancel',
  'color',
  'configmacros',
  'extpfeil',
  'gensymb',
  'mathtools',
  'textmacros',
];

/** What the review page knows, and MathJax does not. */
const macros = Object.fromEntries(
  Object.entries({ ...schoolSigns, '\\bm': '\\boldsymbol{#1}' }).map(([name, meaning]) => [
    name.slice(1),
    meaning.includes('#1') ? [meaning, 1] : meaning,
  ]),
);

const adaptor = liteAdaptor();
RegisterHTMLHandler(adaptor);
const page = mathjax.document('', {
  InputJax: new TeX({
    packages,
    macros,
    formatError(_: unknown, error: Error) {
      throw error;
    },
  }),
  OutputJax: new SVG({
    fontData: MathJaxTexFont,
    fontCache: 'none',
    unknownFamily: 'sans-serif',
    linebreaks: { inline: false },
  }),
});

/** Throws where the source is no formula, or one that MathJax does not know. */
export function drawFormula(source: string, isDisplay: boolean): Formula {
  const svg = adaptor.innerHTML(page.convert(source, { display: isDisplay }));
  const [, box = '', elements = ''] = /viewBox="([^"]+)"[^>]*>(.*)<\/svg>/s.exec(svg) ?? [];
  const [, top = Number.NaN, width = Number.NaN, height = Number.NaN] = box.split(' ').map(Number);
  if (!(width > 0 && height > 0)) throw new Error('the formula is empty');
  return {
    width: width / 1000,
    height: -top / 1000,
    depth: (top + height) / 1000,
    elements: withClips(withStyles(elements)),
  };
}

const dashes: Readonly<Record<string, string>> = {
  dashed: ' stroke-dasharray="140"',
  dotted: ' stroke-linecap="round" stroke-dasharray="0,140"',
};

/**
 * With what MathJax leaves to its style sheet, which the drawing package does not read: the lines of tables. A stroke
 * without width is drawn as the thinnest visible one there, and would make all letters bold.
 */
function withStyles(elements: string): string {
  return elements
    .replaceAll('stroke-width="0"', 'stroke-width="1"')
    .replace(
      /data-(?:line|frame)="\w+" class="mjx-(\w+)"/g,
      (_, style: string) => `fill="none" stroke-width="70"${dashes[style] ?? ''}`,
    )
    .replace(/ data-[\w-]+="[^"]*"/g, '');
}

/** The drawing package does not cut inner pictures, the bars of long arrows and lines, at their edges. */
function withClips(elements: string): string {
  let count = 0;
  return elements.replace(
    /<svg width="([^"]+)" height="([^"]+)"(?: x="([^"]+)")?(?: y="([^"]+)")? viewBox="(\S+) (\S+) [^"]+">(.*?)<\/svg>/gs,
    (_, width, height, x, y, left, top, inner) => {
      count += 1;
      const edges = `<rect x="${left}" y="${top}" width="${width}" height="${height}"/>`;
      return [
        `<clipPath id="clip${count}">${edges}</clipPath>`,
        `<g transform="translate(${Number(x ?? 0) - left},${Number(y ?? 0) - top})">`,
        `<g clip-path="url(#clip${count})">${inner}</g></g>`,
      ].join('');
    },
  );
}
