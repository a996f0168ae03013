/** Reads the rows of one sheet, as a stream. */

import { message } from '../../messages/message.ts';
import { columnLetters } from '../../text/cells/column-letters.ts';
import type { CellStyles } from './cell-styles.ts';
import { columnOf, type MergedCells, type Range, rangeOf } from './merged-cells.ts';
import { fromSymbolFont } from './symbol-font.ts';
import { type CellText, createTextBuilder, type SharedTexts, withoutEscapes } from './texts.ts';
import { WorkbookError } from './workbook-error.ts';
import { type Attributes, scanXml } from './xml.ts';
import type { Package, Part } from './zip.ts';

/** A cell that is not empty. */
export interface SheetCell {
  /** From 0. */
  readonly column: number;
  /** The last one that it is merged over; its own where it is not merged. */
  readonly lastColumn: number;
  /** As the sheet shows it. */
  readonly text: string;
  /** `error`: the text is an error such as `#REF!`. `unsaved`: a formula without a saved value. */
  readonly kind: 'text' | 'error' | 'unsaved';
  /** The number of its rich value, from 1, such as a picture placed in the cell; 0 for none. */
  readonly richValue: number;
  /** Its formula where that names a picture or a link; '' otherwise. */
  readonly formula: string;
}

/** A row of the sheet. Rows without cells may be left out. */
export interface SheetRow {
  /** From 1. */
  readonly number: number;
  readonly isHidden: boolean;
  /** In points; null where the sheet does not say it. */
  readonly height: number | null;
  readonly cells: readonly SheetCell[];
}

/** What the sheet says beside its rows; valid when these have ended. */
export interface SheetFacts {
  /** Cells with raised or lowered letters. */
  raisedCount: number;
  /** Cells with letters in the font Symbol. */
  symbolCount: number;
  /** Hidden columns, first and last, from 0; known when the first row comes. */
  readonly hiddenColumns: { readonly from: number; readonly to: number }[];
  /** In points, of rows that say none; known as well. */
  rowHeight: number;
}

export function noFacts(): SheetFacts {
  return { raisedCount: 0, symbolCount: 0, hiddenColumns: [], rowHeight: 15 };
}

/** Limits of the format. */
const lastRow = 1_048_576;
const lastColumn = 16_384;
/** A million rows of long texts. */
export const sheetMaxBytes = 8 * 1024 * 1024 * 1024;
const formulaMaxLength = 500;
const valueMaxLength = 4 * 1024 * 1024;

/** The rows of a sheet, some at a time. Throws `WorkbookError`. */
export async function* readSheet(
  source: Package,
  part: Part,
  context: {
    readonly shared: SharedTexts;
    readonly styles: CellStyles;
    readonly merged: MergedCells;
    readonly facts: SheetFacts;
    /** The program that wrote the workbook leaves formulas to the one that opens it, with 0 in their place. */
    readonly isUncalculated: boolean;
  },
): AsyncGenerator<readonly SheetRow[]> {
  const { shared, styles, merged, facts, isUncalculated } = context;
  const lastColumnOf = merged.fromTop();
  let rows: SheetRow[] = [];
  let isData = false;
  let cells: SheetCell[] | null = null;
  let number = 0;
  let isHidden = false;
  let height: number | null = null;
  let column = -1;
  let cell: Attributes | null = null;
  let value = '';
  let formula = '';
  let hasFormula = false;
  /** What the element of the formula says of it. */
  let formulaOf: Attributes = {};
  /** Shared formulas that name a picture, by their number. */
  const sharedFormulas = new Map<string, string>();
  /** Formulas whose values fill several cells, and which of them name a picture. */
  let arrays: { readonly range: Range; readonly names: string }[] = [];
  let inside: 'value' | 'formula' | 'inline' | null = null;
  const inline = createTextBuilder();

  const openRow = ({ r, hidden, ht }: Attributes): void => {
    const next = r === undefined ? number + 1 : Number(r);
    if (!Number.isInteger(next) || next <= number || next > lastRow)
      throw new WorkbookError(message('damaged.row', { row: number }));
    number = next;
    isHidden = isHiddenBy(hidden, ht);
    height = sizeOf(ht);
    column = -1;
    cells = [];
    if (arrays.length > 0) arrays = arrays.filter(({ range }) => range.bottom >= number);
  };
  const openCell = (attributes: Attributes): void => {
    const next = attributes.r === undefined ? column + 1 : columnOf(attributes.r);
    if (next <= column || next >= lastColumn)
      throw new WorkbookError(message('damaged.place', { row: number }));
    column = next;
    cell = attributes;
    value = '';
    formula = '';
    hasFormula = false;
    formulaOf = {};
  };
  const closeCell = (attributes: Attributes): void => {
    const { t: type = 'n', vm } = attributes;
    const style = styleOf(attributes);
    const inlineText = inline.take();
    const names = namingFormula();
    const richValue = Number(vm ?? 0);
    const shown = (read: CellText): Pick<SheetCell, 'text' | 'kind'> => {
      if (read.isRaised) facts.raisedCount += 1;
      if (read.isSymbol) facts.symbolCount += 1;
      return { text: styles.text(read.text, style), kind: 'text' };
    };
    const read = (): Pick<SheetCell, 'text' | 'kind'> => {
      if (type === 'inlineStr') return shown(inlineText);
      if (value === '' && type !== 'str')
        return hasFormula ? { text: '', kind: 'unsaved' } : { text: '', kind: 'text' };
      if (type === 's') return shown(sharedText(value, styles.isSymbol(style)));
      if (type === 'e') return { text: value, kind: 'error' };
      if (type === 'b') return { text: value === '1' ? 'TRUE' : 'FALSE', kind: 'text' };
      if (type === 'd') return { text: value.replace(/T00:00:00(\.0+)?Z?$/, ''), kind: 'text' };
      if (type === 'str') return shown(computedText(value, styles.isSymbol(style)));
      if (isUncalculated && hasFormula && Number(value) === 0) return { text: '', kind: 'unsaved' };
      return { text: shownNumber(value, style), kind: 'text' };
    };
    const { text, kind } = read();
    const last = lastColumnOf(number, column);
    if (last === null) return;
    if (text === '' && kind === 'text' && richValue === 0 && names === '') return;
    cells?.push({ column, lastColumn: last, text, kind, richValue, formula: names });
  };
  /** The formula of the cell if it names a picture or a link. Of one that stands in several cells, only the first has the text. */
  const namingFormula = (): string => {
    if (!hasFormula && arrays.length === 0) return '';
    const names = /DISPIMG|IMAGE\(|HYPERLINK/.test(formula) ? formula : '';
    const { t: kind, si = '', ref = '' } = formulaOf;
    if (kind === 'shared' && names !== '') sharedFormulas.set(si, names);
    if (kind === 'shared' && formula === '') return sharedFormulas.get(si) ?? '';
    const range = kind === 'array' ? rangeOf(ref) : null;
    if (range !== null) arrays.push({ range, names });
    if (hasFormula || value === '') return names;
    const array = arrays.find(({ range: { left, right } }) => column >= left && column <= right);
    hasFormula = array !== undefined;
    return array?.names ?? '';
  };
  const sharedText = (index: string, isSymbol: boolean): CellText => {
    const text = shared.get(Number(index), isSymbol);
    if (text === null)
      throw new WorkbookError(message('damaged.no-text', { cell: cellName(number, column) }));
    return text;
  };
  const shownNumber = (text: string, style: number): string => {
    const parsed = Number(text);
    return Number.isFinite(parsed) && text.trim() !== '' ? styles.number(parsed, style) : text;
  };

  const events = {
    open(name: string, attributes: Attributes) {
      if (!isData) {
        isData = name === 'sheetData';
        const { min, max, hidden, width } = attributes;
        if (name === 'sheetFormatPr')
          facts.rowHeight = sizeOf(attributes.defaultRowHeight) ?? facts.rowHeight;
        if (name === 'col' && isHiddenBy(hidden, width))
          facts.hiddenColumns.push({ from: Number(min) - 1, to: Number(max) - 1 });
        return;
      }
      if (name === 'row') openRow(attributes);
      else if (name === 'c' && cells !== null) openCell(attributes);
      else if (cell === null) return;
      else if (name === 'v') inside = 'value';
      else if (name === 'f') {
        inside = 'formula';
        hasFormula = true;
        formulaOf = attributes;
      } else if (name === 'is') {
        inside = 'inline';
        inline.begin(styles.isSymbol(styleOf(cell)));
      } else if (inside === 'inline') inline.open(name, attributes);
    },
    close(name: string) {
      if (!isData) return;
      if (name === 'sheetData') isData = false;
      else if (name === 'row' && cells !== null) {
        rows.push({ number, isHidden, height, cells });
        cells = null;
      } else if (name === 'c' && cell !== null) {
        closeCell(cell);
        cell = null;
      } else if (name === 'v' || name === 'f' || name === 'is') inside = null;
      else if (inside === 'inline') inline.close(name);
    },
    text(text: string) {
      if (inside === 'value') {
        value += text;
        if (value.length > valueMaxLength) throw new WorkbookError(message('workbook.long-cell'));
      } else if (inside === 'inline') inline.text(text);
      else if (inside === 'formula' && formula.length < formulaMaxLength) formula += text;
    },
  };
  const scan = scanXml(source.stream(part, sheetMaxBytes), part.name, events);
  for await (const _ of scan) {
    if (rows.length === 0) continue;
    yield rows;
    rows = [];
  }
  if (rows.length > 0) yield rows;
}

function computedText(value: string, isSymbol: boolean): CellText {
  const written = withoutEscapes(value);
  const text = isSymbol ? fromSymbolFont(written) : written;
  return { text, isRaised: false, isSymbol: text !== written };
}

function styleOf({ s }: Attributes): number {
  return Number(s ?? 0);
}

/** Rows of no height and columns of no width are as hidden as those that are called so. */
function isHiddenBy(hidden: string | undefined, size: string | undefined): boolean {
  return hidden === '1' || hidden === 'true' || (size !== undefined && Number(size) === 0);
}

function sizeOf(text: string | undefined): number | null {
  const size = Number(text ?? Number.NaN);
  return size >= 0 ? size : null;
}

/** `C17`; the row counts from 1, the column from 0. */
export function cellName(row: number, column: number): string {
  return `${columnLetters(column)}${row}`;
}
