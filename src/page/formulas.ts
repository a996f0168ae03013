/** Text with formulas. */

import { splitFormulas, type TextPiece } from '../core/text/formulas.ts';

type Formula = TextPiece & { readonly kind: 'inline' | 'display' };

/** Limits on rendered formulas in one text, and on their characters; anything beyond is shown as source. */
const drawnMaxCount = 300;
const drawnMaxLength = 20_000;

/** Rendered formulas to cache: a list shows the same rows again and again. */
const keptMaxCount = 2_000;
const kept = new Map<string, HTMLElement>();

/** Makes scrollable formulas scrollable by keyboard. */
const wide = new ResizeObserver((entries) => {
  for (const { target } of entries) {
    if (target.scrollWidth > target.clientWidth) target.setAttribute('tabindex', '0');
    else target.removeAttribute('tabindex');
  }
});

/** Could expand a short text without limit. */
const definition = /\\(?:[gex]?def|(?:re|provide)?newcommand|let|futurelet|global)(?![a-zA-Z])/;

/** Signs used in Chinese and in school books that KaTeX does not know. */
const macros: Readonly<Record<string, string>> = {
  '\\parallelogram': '\\text{▱}',
  '\\overparen': '\\overset{\\frown}{#1}',
  '\\wideparen': '\\overset{\\frown}{#1}',
  '\\celsius': '^\\circ\\mathrm{C}',
};

/** Appends a text; renders its formulas if the renderer is loaded. */
export function showText(element: HTMLElement, text: string): void {
  const pieces = splitFormulas(text);
  // The renderer comes at the end of the page.
  if (globalThis.katexOfPage === undefined && pieces.some(isFormula)) {
    element.append(text);
    return;
  }
  let count = 0;
  let length = 0;
  for (const [at, piece] of pieces.entries()) {
    if (isFormula(piece)) {
      element.classList.add('with-formulas');
      count += 1;
      length += piece.text.length;
      const isDrawn = count <= drawnMaxCount && length <= drawnMaxLength;
      element.append(isDrawn ? drawn(piece) : asWritten(piece));
    } else {
      // A display formula ends its line by itself.
      const isBelow = pieces[at - 1]?.kind === 'display';
      element.append(isBelow ? piece.text.replace(/^[^\S\n]*\n/, ' ') : piece.text);
    }
  }
}

function isFormula(piece: TextPiece): piece is Formula {
  return piece.kind !== 'text';
}

function drawn(formula: Formula): HTMLElement {
  const name = `${formula.kind} ${formula.text}`;
  let element = kept.get(name);
  if (element === undefined) {
    element = draw(formula);
    if (kept.size >= keptMaxCount) kept.clear();
    kept.set(name, element);
  }
  const copy = element.cloneNode(true) as HTMLElement;
  if (formula.kind === 'display' || copy.classList.contains('tall')) wide.observe(copy);
  return copy;
}

function draw(formula: Formula): HTMLElement {
  const element = document.createElement('span');
  element.className = `formula ${formula.kind}`;
  element.classList.toggle('tall', formula.text.includes('\\begin{'));
  if (definition.test(formula.text)) return asWritten(formula);
  try {
    withStyles(() =>
      globalThis.katexOfPage?.render(formula.text, element, {
        displayMode: formula.kind === 'display',
        throwOnError: false,
        errorColor: 'currentColor',
        trust: false,
        strict: 'ignore',
        maxSize: 10,
        maxExpand: 1_000,
        output: 'htmlAndMathml',
        macros: { ...macros },
      }),
    );
  } catch {
    // Nested too deeply, for example.
    return asWritten(formula);
  }
  return element.querySelector('.katex-error') === null ? element : asWritten(formula);
}

/** The source of a formula that cannot be rendered. */
function asWritten({ kind, text }: Formula): HTMLElement {
  const element = document.createElement('code');
  element.className = `formula ${kind} undrawn`;
  element.append(text);
  return element;
}

/** KaTeX sets `style` attributes, which the page's policy refuses; the style object is allowed. */
function withStyles(work: () => void): void {
  const { setAttribute } = Element.prototype;
  Element.prototype.setAttribute = function (this: Element, name: string, value: string): void {
    if (name === 'style' && 'style' in this) (this.style as CSSStyleDeclaration).cssText = value;
    else setAttribute.call(this, name, value);
  };
  try {
    work();
  } finally {
    Element.prototype.setAttribute = setAttribute;
  }
}
