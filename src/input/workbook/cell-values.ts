/** What a cell of a sheet shows. */

import { message } from '../../messages/message.ts';
import { columnLetters } from '../../text/cells/column-letters.ts';
import type { CellStyles } from './cell-styles.ts';
import { fromSymbolFont } from './symbol-font.ts';
import { type CellText, type SharedTexts, withoutEscapes } from './texts.ts';
import { WorkbookError } from './workbook-error.ts';
import type { Attributes } from './xml.ts';

/** A cell as it is written, as far as it is read. */
export interface RawCell {
  /** From 1. */
  readonly row: number;
  /** From 0. */
  readonly column: number;
  readonly attributes: Attributes;
  value: string;
  formula: string;
  hasFormula: boolean;
  /** What the element of the formula says of it. */
  formulaOf: Attributes;
}

export interface ShownCell {
  /** As the sheet shows it. */
  readonly text: string;
  /** `error`: the text is an error such as `#REF!`. `unsaved`: a formula without a saved value. `unseen`: its format hides it. */
  readonly kind: 'text' | 'error' | 'unsaved' | 'unseen';
}

export interface LetterCounts {
  /** Cells with raised or lowered letters. */
  raisedCount: number;
  /** Cells with letters in the font Symbol. */
  symbolCount: number;
}

interface Context {
  readonly shared: SharedTexts;
  readonly styles: CellStyles;
  readonly facts: LetterCounts;
  readonly isUncalculated: boolean;
}

export class CellValues {
  readonly #context: Context;

  constructor(context: Context) {
    this.#context = context;
  }

  /** `inline` is the text that stands in the cell itself. */
  read(cell: RawCell, inline: CellText): ShownCell {
    const { attributes, value, hasFormula } = cell;
    const { t: type = 'n' } = attributes;
    const { styles, isUncalculated } = this.#context;
    const style = styleOf(cell);
    if (type === 'inlineStr') return this.#shown(inline, style);
    if (value === '' && type !== 'str') return { text: '', kind: hasFormula ? 'unsaved' : 'text' };
    if (type === 's') return this.#shown(this.#sharedText(cell, styles.isSymbol(style)), style);
    if (type === 'e') return { text: value, kind: 'error' };
    if (type === 'b') return { text: value === '1' ? 'TRUE' : 'FALSE', kind: 'text' };
    if (type === 'd') return { text: value.replace(/T00:00:00(\.0+)?Z?$/, ''), kind: 'text' };
    if (type === 'str') return this.#shown(computedText(value, styles.isSymbol(style)), style);
    if (isUncalculated && hasFormula && Number(value) === 0) return { text: '', kind: 'unsaved' };
    return shownAs(this.#shownNumber(value, style), value);
  }

  #shown(read: CellText, style: number): ShownCell {
    const { styles, facts } = this.#context;
    if (read.isRaised) facts.raisedCount += 1;
    if (read.isSymbol) facts.symbolCount += 1;
    return shownAs(styles.text(read.text, style), read.text);
  }

  #sharedText({ row, column, value }: RawCell, isSymbol: boolean): CellText {
    const text = this.#context.shared.get(Number(value), isSymbol);
    if (text === null) throw new WorkbookError(message('damaged.no-text', { cell: cellName(row, column) }));
    return text;
  }

  #shownNumber(text: string, style: number): string {
    const number = Number(text);
    return Number.isFinite(number) && text.trim() !== '' ? this.#context.styles.number(number, style) : text;
  }
}

function shownAs(text: string, written: string): ShownCell {
  return { text, kind: text === '' && written.trim() !== '' ? 'unseen' : 'text' };
}

function computedText(value: string, isSymbol: boolean): CellText {
  const written = withoutEscapes(value);
  const text = isSymbol ? fromSymbolFont(written) : written;
  return { text, isRaised: false, isSymbol: text !== written };
}

export function styleOf({ attributes: { s } }: Pick<RawCell, 'attributes'>): number {
  return Number(s ?? 0);
}

/** `C17`; the row counts from 1, the column from 0. */
export function cellName(row: number, column: number): string {
  return `${columnLetters(column)}${row}`;
}
