/** Sets the parts of a text into lines. Sizes are in em but for those of a box, and of a layout's font. */

import { type FormulaPart, lettersOf, type Means, type Part, scaled } from './clip-text.ts';

export interface Size {
  readonly width: number;
  readonly height: number;
}

export interface Layout {
  readonly fontSize: number;
  readonly lines: readonly Line[];
}

interface Line {
  readonly parts: readonly Part[];
  /** Above and below the line the letters stand on. */
  readonly height: number;
  readonly depth: number;
}

/** Of a line of words; a formula is kept from the lines around it. */
const wordHeight = 0.95;
const wordDepth = 0.4;
const formulaGap = 0.15;

/** The lines at the first of the font sizes that fits; text too long for the last one is cut. */
export function layOut(
  parts: readonly Part[],
  box: Size,
  fontSizes: readonly number[],
  means: Pick<Means, 'measure'>,
): Layout {
  let layout: Layout = { fontSize: 0, lines: [] };
  for (const fontSize of fontSizes) {
    const size = { width: box.width / fontSize, height: box.height / fontSize };
    const lines = wrap(parts, size, means);
    layout = { fontSize, lines: fitting(lines, size.height) };
    if (layout.lines.length === lines.length) return layout;
  }
  const last = layout.lines.at(-1);
  if (last === undefined) return layout;
  const dots: Part = { kind: 'word', text: '…', script: 'latin', width: means.measure('…', 'latin') };
  return { ...layout, lines: [...layout.lines.slice(0, -1), { ...last, parts: [...last.parts, dots] }] };
}

/** The first lines, as many as fit, but one at least. */
function fitting(lines: readonly Line[], height: number): Line[] {
  let left = height;
  const tooLow = lines.findIndex((line, i) => {
    left -= line.height + line.depth;
    return i > 0 && left < 0;
  });
  return lines.slice(0, tooLow < 0 ? lines.length : tooLow);
}

/** Characters that must not start a line; the margin has room for them. */
const closing = /^[\p{Pe}\p{Pf}\p{Po}]$/u;

/** Breaks between words, and inside a word longer than a line. */
function wrap(parts: readonly Part[], size: Size, means: Pick<Means, 'measure'>): Line[] {
  const lines: Line[] = [];
  let line: Part[] = [];
  let left = size.width;
  const end = () => {
    const kept = withoutBlanks(line);
    if (kept.length > 0) lines.push(lineOf(kept));
    line = [];
    left = size.width;
  };
  const add = (part: Part) => {
    line.push(part);
    left -= part.width;
  };
  for (const whole of parts) {
    const part = whole.kind === 'formula' ? shrunk(whole, size) : whole;
    const isDisplay = part.kind === 'formula' && part.isDisplay;
    if (isDisplay) end();
    if (part.width <= left || (part.kind === 'word' && closing.test(part.text))) add(part);
    else if (part.kind === 'word' && part.width > size.width) {
      for (const letter of lettersOf(part, means)) {
        if (letter.width > left) end();
        add(letter);
      }
    } else {
      end();
      add(part);
    }
    if (isDisplay) end();
  }
  end();
  return lines;
}

/** A formula is not broken: one that is too large becomes smaller. */
function shrunk(formula: FormulaPart, { width, height }: Size): FormulaPart {
  const highest = height - formulaGap - wordDepth;
  return scaled(formula, Math.min(1, width / formula.width, highest / (formula.height + formula.depth)));
}

function withoutBlanks(line: readonly Part[]): readonly Part[] {
  const isShown = (part: Part) => part.kind === 'formula' || part.text.trim() !== '';
  const first = line.findIndex(isShown);
  return first < 0 ? [] : line.slice(first, line.findLastIndex(isShown) + 1);
}

function lineOf(parts: readonly Part[]): Line {
  const formulas = parts.filter((part) => part.kind === 'formula');
  return {
    parts,
    height: Math.max(wordHeight, ...formulas.map(({ height }) => height + formulaGap)),
    depth: Math.max(wordDepth, ...formulas.map(({ depth }) => depth + formulaGap)),
  };
}
