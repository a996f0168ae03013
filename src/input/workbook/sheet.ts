/** Reads the rows of one sheet, as a stream. */

import { message } from '../../messages/message.ts';
import type { CellStyles } from './cell-styles.ts';
import { CellValues, type LetterCounts, type RawCell, type ShownCell, styleOf } from './cell-values.ts';
import { columnOf, type MergedCells } from './merged-cells.ts';
import { NamingFormulas } from './naming-formulas.ts';
import { createTextBuilder, type SharedTexts } from './texts.ts';
import { WorkbookError } from './workbook-error.ts';
import { type Attributes, scanXml, type XmlEvents } from './xml.ts';
import type { Package, Part } from './zip.ts';

/** A cell that is not empty. */
export interface SheetCell extends ShownCell {
  /** From 0. */
  readonly column: number;
  /** The last one that it is merged over; its own where it is not merged. */
  readonly lastColumn: number;
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

/** What the sheet says besides its rows; valid when these have ended. */
export interface SheetFacts extends LetterCounts {
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

/** What a sheet is read with. */
interface SheetContext {
  readonly shared: SharedTexts;
  readonly styles: CellStyles;
  readonly merged: MergedCells;
  readonly facts: SheetFacts;
  /** The program that wrote the workbook leaves formulas to the one that opens it, with 0 in their place. */
  readonly isUncalculated: boolean;
}

/** The rows of a sheet, some at a time. Throws `WorkbookError`. */
export async function* readSheet(
  source: Package,
  part: Part,
  context: SheetContext,
): AsyncGenerator<readonly SheetRow[]> {
  const sheet = new SheetReader(context);
  for await (const _ of scanXml(source.stream(part, sheetMaxBytes), part.name, sheet)) {
    const rows = sheet.take();
    if (rows.length > 0) yield rows;
  }
  const rows = sheet.take();
  if (rows.length > 0) yield rows;
}

/** A row that is being read. */
interface OpenRow extends SheetRow {
  readonly cells: SheetCell[];
}

/** Makes rows of the parts of a sheet. */
class SheetReader implements XmlEvents {
  readonly #styles: CellStyles;
  readonly #facts: SheetFacts;
  readonly #values: CellValues;
  readonly #formulas = new NamingFormulas();
  readonly #inline = createTextBuilder();
  readonly #lastColumnOf: ReturnType<MergedCells['fromTop']>;
  #rows: SheetRow[] = [];
  #isData = false;
  #row: OpenRow | null = null;
  #number = 0;
  #column = -1;
  #cell: RawCell | null = null;
  #inside: 'value' | 'formula' | 'inline' | null = null;

  constructor(context: SheetContext) {
    this.#styles = context.styles;
    this.#facts = context.facts;
    this.#values = new CellValues(context);
    this.#lastColumnOf = context.merged.fromTop();
  }

  /** The rows that have ended since. */
  take(): readonly SheetRow[] {
    const rows = this.#rows;
    if (rows.length > 0) this.#rows = [];
    return rows;
  }

  open(name: string, attributes: Attributes): void {
    if (!this.#isData) this.#openAbove(name, attributes);
    else if (name === 'row') this.#openRow(attributes);
    else if (name === 'c' && this.#row !== null) this.#openCell(attributes);
    else if (this.#cell !== null) this.#openInCell(this.#cell, name, attributes);
  }

  close(name: string): void {
    if (!this.#isData) return;
    if (name === 'sheetData') this.#isData = false;
    else if (name === 'row' && this.#row !== null) {
      this.#rows.push(this.#row);
      this.#row = null;
    } else if (name === 'c' && this.#cell !== null) {
      this.#closeCell(this.#cell);
      this.#cell = null;
    } else if (name === 'v' || name === 'f' || name === 'is') this.#inside = null;
    else if (this.#inside === 'inline') this.#inline.close(name);
  }

  text(text: string): void {
    const cell = this.#cell;
    if (cell === null) return;
    if (this.#inside === 'value') {
      cell.value += text;
      if (cell.value.length > valueMaxLength) throw new WorkbookError(message('workbook.long-cell'));
    } else if (this.#inside === 'inline') this.#inline.text(text);
    else if (this.#inside === 'formula' && cell.formula.length < formulaMaxLength) cell.formula += text;
  }

  #openAbove(name: string, { min, max, hidden, width, defaultRowHeight }: Attributes): void {
    this.#isData = name === 'sheetData';
    if (name === 'sheetFormatPr') this.#facts.rowHeight = sizeOf(defaultRowHeight) ?? this.#facts.rowHeight;
    if (name === 'col' && isHiddenBy(hidden, width))
      this.#facts.hiddenColumns.push({ from: Number(min) - 1, to: Number(max) - 1 });
  }

  #openRow({ r, hidden, ht }: Attributes): void {
    const number = r === undefined ? this.#number + 1 : Number(r);
    if (!Number.isInteger(number) || number <= this.#number || number > lastRow)
      throw new WorkbookError(message('damaged.row', { row: this.#number }));
    this.#number = number;
    this.#column = -1;
    this.#row = { number, isHidden: isHiddenBy(hidden, ht), height: sizeOf(ht), cells: [] };
    this.#formulas.openRow(number);
  }

  #openCell(attributes: Attributes): void {
    const row = this.#number;
    const column = attributes.r === undefined ? this.#column + 1 : columnOf(attributes.r);
    if (column <= this.#column || column >= lastColumn)
      throw new WorkbookError(message('damaged.place', { row }));
    this.#column = column;
    this.#cell = { row, column, attributes, value: '', formula: '', hasFormula: false, formulaOf: {} };
  }

  #openInCell(cell: RawCell, name: string, attributes: Attributes): void {
    if (name === 'v') this.#inside = 'value';
    else if (name === 'f') {
      this.#inside = 'formula';
      cell.hasFormula = true;
      cell.formulaOf = attributes;
    } else if (name === 'is') {
      this.#inside = 'inline';
      this.#inline.begin(this.#styles.isSymbol(styleOf(cell)));
    } else if (this.#inside === 'inline') this.#inline.open(name, attributes);
  }

  #closeCell(cell: RawCell): void {
    const { column } = cell;
    const inline = this.#inline.take();
    const formula = this.#formulas.takeFrom(cell);
    const richValue = Number(cell.attributes.vm ?? 0);
    const { text, kind } = this.#values.read(cell, inline);
    const last = this.#lastColumnOf(cell.row, column);
    if (last === null) return;
    if (text === '' && kind === 'text' && richValue === 0 && formula === '') return;
    this.#row?.cells.push({ column, lastColumn: last, text, kind, richValue, formula });
  }
}

/** Rows of no height and columns of no width are as hidden as those that are called so. */
function isHiddenBy(hidden: string | undefined, size: string | undefined): boolean {
  return hidden === '1' || hidden === 'true' || (size !== undefined && Number(size) === 0);
}

function sizeOf(text: string | undefined): number | null {
  const size = Number(text ?? Number.NaN);
  return size >= 0 ? size : null;
}
