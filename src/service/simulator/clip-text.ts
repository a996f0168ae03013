/** What is shown of a question, in the parts that lines are made of. Widths are in em. */

import { splitFormulas, type TextPiece } from '../../text/formulas.ts';
import type { Formula } from './clip-formulas.ts';

/** Chinese fonts have wide quotes, which tear an English text apart; a Chinese one looks wrong without them. */
export type Script = 'latin' | 'chinese';

export interface Word {
  readonly kind: 'word';
  readonly text: string;
  readonly script: Script;
  readonly width: number;
}

/** A formula, in em of the text around it. */
export interface FormulaPart extends Formula {
  readonly kind: 'formula';
  /** It has a line of its own. */
  readonly isDisplay: boolean;
  readonly scale: number;
}

export type Part = Word | FormulaPart;

/** What the world does for this file. */
export interface Means {
  /** The width of a text in em. */
  measure(text: string, script: Script): number;
  /** null where the source cannot be drawn. */
  formulaOf(source: string, isDisplay: boolean): Promise<Formula | null>;
}

/** Only the start of a longer question is drawn: what can be read in seconds, and drawn in milliseconds. */
const drawnCharacters = 200;

/** The letters of formulas are smaller than those of texts, as in KaTeX. */
const formulaScale = 1.15;

/** The parts of the start of `text`. A formula that cannot be drawn is shown as it is written. */
export async function partsOf(text: string, means: Means): Promise<Part[]> {
  const script = scriptOf(text);
  const parts: Part[] = [];
  for (const { kind, text: shown } of shownPieces(text)) {
    const isDisplay = kind === 'display';
    const formula = isDisplay || kind === 'inline' ? await means.formulaOf(shown, isDisplay) : null;
    if (formula === null) parts.push(...wordsOf(shown, script, means));
    else parts.push(scaled({ ...formula, kind: 'formula', isDisplay, scale: 1 }, formulaScale));
  }
  return parts;
}

/** The formula in another size. */
export function scaled(formula: FormulaPart, scale: number): FormulaPart {
  return {
    ...formula,
    width: formula.width * scale,
    height: formula.height * scale,
    depth: formula.depth * scale,
    scale: formula.scale * scale,
  };
}

/** The letters of a word, to break it where it is longer than a line. */
export function lettersOf({ text, script }: Word, { measure }: Pick<Means, 'measure'>): Word[] {
  return Array.from(letters.segment(text), ({ segment }) => wordOf(segment, script, measure));
}

const words = new Intl.Segmenter('en', { granularity: 'word' });
const letters = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** Chinese also has words, but no spaces. */
function wordsOf(text: string, script: Script, { measure }: Means): Word[] {
  return Array.from(words.segment(text), ({ segment }) => {
    // The apostrophe of a word belongs to it, also in a Chinese text.
    const isLatin = /\p{Script=Latin}/u.test(segment);
    return wordOf(segment, isLatin ? 'latin' : script, measure);
  });
}

function wordOf(text: string, script: Script, measure: Means['measure']): Word {
  return { kind: 'word', text, script, width: measure(text, script) };
}

/** Which script the text is written in, where it has words of both. A Chinese word is much shorter. */
function scriptOf(text: string): Script {
  const start = text.slice(0, 4 * drawnCharacters).replace(/\\[a-z]+/gi, ' ');
  const count = (letter: RegExp): number => start.match(letter)?.length ?? 0;
  return 3 * count(/\p{Script=Han}/gu) > count(/\p{Script=Latin}/gu) ? 'chinese' : 'latin';
}

/** The start of the text. A formula is shown whole or not at all; the first may be shown in part, as it is written. */
function shownPieces(text: string): TextPiece[] {
  const shown: TextPiece[] = [];
  let left = drawnCharacters;
  for (const piece of splitFormulas(text.slice(0, 4 * drawnCharacters))) {
    const characters = Array.from(showable(piece.text));
    if (characters.length > left) {
      const isCut = piece.kind === 'text' || shown.length === 0;
      shown.push({ kind: 'text', text: `${isCut ? characters.slice(0, left).join('') : ''}…` });
      break;
    }
    left -= characters.length;
    shown.push({ ...piece, text: characters.join('') });
  }
  return shown;
}

/** On one line, without unprintable characters: control, bidirectional and private ones. */
function showable(text: string): string {
  return text
    .replace(/\s+/gu, ' ')
    .replace(/[\p{Cc}\p{Cs}\p{Co}\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu, '');
}
