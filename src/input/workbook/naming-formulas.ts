/** The formulas that name a picture or a link. Of one that stands in several cells, only the first has the text. */

import type { RawCell } from './cell-values.ts';
import { type Range, rangeOf } from './merged-cells.ts';

export class NamingFormulas {
  /** By their number. */
  readonly #shared = new Map<string, string>();
  /** Formulas whose values fill several cells; '' for those that name nothing. */
  #arrays: { readonly range: Range; readonly names: string }[] = [];

  openRow(number: number): void {
    if (this.#arrays.length > 0) this.#arrays = this.#arrays.filter(({ range }) => range.bottom >= number);
  }

  /** The formula of the cell; '' where it names nothing. The cell learns of one that fills it from elsewhere. */
  takeFrom(cell: RawCell): string {
    const { formula, hasFormula, column } = cell;
    if (!hasFormula && this.#arrays.length === 0) return '';
    const names = /DISPIMG|IMAGE\(|HYPERLINK/.test(formula) ? formula : '';
    const { t: kind, si = '', ref = '' } = cell.formulaOf;
    if (kind === 'shared' && names !== '') this.#shared.set(si, names);
    if (kind === 'shared' && formula === '') return this.#shared.get(si) ?? '';
    const range = kind === 'array' ? rangeOf(ref) : null;
    if (range !== null) this.#arrays.push({ range, names });
    if (hasFormula || cell.value === '') return names;
    const array = this.#arrays.find(({ range: { left, right } }) => column >= left && column <= right);
    cell.hasFormula = array !== undefined;
    return array?.names ?? '';
  }
}
