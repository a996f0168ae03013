/** Pure. Columns of multiple choice: `A, B, C, D`, `选项A` to `选项D`, `option_1` to `option_4`. None of them is the answer. */

import { headerKey } from './known-names.ts';

const letter = /^(选项|選項|答案|options?|opt|choices?|answers?|ans)?([a-h])(选项|選項)?$/;
const number = /^(选项|選項|options?|opt|choices?)([1-9])()$/;

interface Place {
  /** What the names of the other options have in common with it. */
  readonly group: string;
  /** `a` or `1` for the first. */
  readonly sign: string;
}

function placeOf(column: string): Place | null {
  const key = headerKey(column).replace(/[^\p{L}\p{N}]/gu, '');
  const [, before = '', sign, behind = ''] = letter.exec(key) ?? number.exec(key) ?? [];
  return sign === undefined ? null : { group: `${before}.${behind}.${/\d/.test(sign)}`, sign };
}

/** True for a column that is an option where its neighbours are there too. */
export function isOptionName(column: string): boolean {
  return placeOf(column) !== null;
}

/**
 * The columns that are options, in the order of the file: those of a group that has the first and the second one. A lone
 * `A` next to `Q` is no option.
 */
export function optionColumns(columns: readonly string[]): readonly string[] {
  const groups = new Map<string, { readonly signs: Set<string>; readonly columns: string[] }>();
  for (const column of columns) {
    const place = placeOf(column);
    if (place === null) continue;
    const group = groups.get(place.group) ?? { signs: new Set(), columns: [] };
    groups.set(place.group, group);
    group.signs.add(place.sign);
    group.columns.push(column);
  }
  const isChoice = ({ signs }: { readonly signs: ReadonlySet<string> }): boolean =>
    (signs.has('a') && signs.has('b')) || (signs.has('1') && signs.has('2'));
  const options = new Set([...groups.values()].filter(isChoice).flatMap((group) => group.columns));
  return columns.filter((column) => options.has(column));
}
