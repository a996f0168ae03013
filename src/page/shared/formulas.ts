/** Text with formulas and tables. */

import { schoolSigns, splitFormulas, type TextPiece } from '../../text/formulas.ts';
import { type LatexCell, type LatexTable, parseLatexTable } from '../../text/latex-table.ts';
import { drawTable, writeTable } from './drawn-table.ts';

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

/** The text without line breaks, for a list: spaces stay, because they may be a blank to fill in. */
export function onOneLine(text: string): string {
  return text.replace(/\s*\n\s*/g, ' ');
}

/** Appends a text; renders its formulas if the renderer is loaded, and its tables. */
export function showText(element: HTMLElement, text: string, isOneLine = false): void {
  const pieces = splitFormulas(text);
  // The renderer comes at the end of the page; cells of tables have formulas too.
  if (globalThis.katexOfPage === undefined && pieces.some(({ kind }) => kind !== 'text')) {
    element.append(isOneLine ? onOneLine(text) : text);
    return;
  }
  showPieces(element, pieces, { isOneLine, isInTable: false, count: 0, length: 0 });
}

/** Where pieces are shown, and how much is drawn so far. */
interface Drawing {
  readonly isOneLine: boolean;
  readonly isInTable: boolean;
  count: number;
  length: number;
}

function showPieces(element: HTMLElement, pieces: readonly TextPiece[], drawing: Drawing): void {
  const { isOneLine, isInTable } = drawing;
  for (const [at, piece] of pieces.entries()) {
    if (isFormula(piece)) {
      element.classList.add('with-formulas');
      drawing.count += 1;
      drawing.length += piece.text.length;
      const isDrawn = drawing.count <= drawnMaxCount && drawing.length <= drawnMaxLength;
      element.append(isDrawn ? drawn(piece) : asWritten(piece));
    } else {
      const table = piece.kind === 'table' && !isInTable ? parseLatexTable(piece.text) : null;
      if (table !== null) {
        element.append(tableOf(table, drawing));
        continue;
      }
      // A display formula and a table end their line by themselves.
      const isBelow = pieces[at - 1] !== undefined && pieces[at - 1]?.kind !== 'inline';
      const plain = isBelow ? piece.text.replace(/^[^\S\n]*\n/, isOneLine ? ' ' : '') : piece.text;
      element.append(isOneLine ? onOneLine(plain) : plain);
    }
  }
}

function tableOf(table: LatexTable, drawing: Drawing): HTMLElement {
  const fill = (element: HTMLElement, { pieces }: LatexCell) => {
    const inside = { ...drawing, isInTable: true };
    showPieces(element, pieces, inside);
    drawing.count = inside.count;
    drawing.length = inside.length;
  };
  const shown = drawing.isOneLine ? writeTable(table, fill) : drawTable(table, fill);
  if (!drawing.isOneLine) wide.observe(shown);
  return shown;
}

function isFormula(piece: TextPiece): piece is Formula {
  return piece.kind === 'inline' || piece.kind === 'display';
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
        macros: { ...schoolSigns },
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
