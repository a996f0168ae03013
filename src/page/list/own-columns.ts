/** The user's own columns: one is chosen, which the list then shows, and of it a value, which filters. */

import { element, setAttribute } from '../shared/elements.ts';
import { formatNumber } from '../shared/formats.ts';
import { words } from '../words.ts';
import { ownCell, type Rows } from './rows.ts';
import type { Go, Shown } from './shown.ts';

/** More could not be read: the search finds the others. */
const mostValues = 200;

const naturally = new Intl.Collator('en', { numeric: true });

/** The two choices; hidden where the file has no such columns. */
export function createOwnFilter(go: Go) {
  const w = words();
  const column = element('select', {
    id: 'column',
    'aria-label': w.ownColumns,
    change: () => go({ column: column.value.slice(1) || null, value: null, page: 1 }),
  });
  const value = element('select', {
    id: 'value',
    change: () => go({ value: value.value === '' ? null : value.value.slice(1), page: 1 }),
  });
  let drawn = '';
  return {
    elements: [column, value],
    update({ address, rows }: Pick<Shown, 'address' | 'rows'>): void {
      const { columns, version } = rows;
      const at = address.column === null ? -1 : columns.indexOf(address.column);
      column.hidden = columns.length === 0;
      value.hidden = at < 0;
      const state = JSON.stringify([at, version, address.value]);
      if (columns.length === 0 || state === drawn) return;
      drawn = state;
      fill(
        column,
        w.ownColumns,
        columns.map((name) => [name, name]),
        at < 0 ? null : address.column,
      );
      if (at < 0) return;
      const name = address.column ?? '';
      setAttribute(value, 'aria-label', name);
      fill(value, w.anyCell(name), valuesOf(rows, at, address.value), address.value);
    },
  };
}

/** Those of most rows, and the one that is chosen, as people count; each with its number of rows. */
function valuesOf(rows: Rows, at: number, chosen: string | null): readonly (readonly [string, string])[] {
  const counts = new Map<string, number>(chosen === null ? [] : [[chosen, 0]]);
  for (const row of rows.all()) {
    const text = ownCell(row, at);
    counts.set(text, (counts.get(text) ?? 0) + 1);
  }
  const rank = ([text, count]: readonly [string, number]): number => (text === chosen ? Infinity : count);
  const most = [...counts].sort((a, b) => rank(b) - rank(a)).slice(0, mostValues);
  return most
    .sort(([a], [b]) => naturally.compare(a, b))
    .map(([text, count]) => [text, `${text === '' ? words().emptyCell : text} (${formatNumber(count)})`]);
}

/** Leaves a list alone that stays as it is: the reader may have it open. A value is told from none by the sign before it. */
function fill(
  select: HTMLSelectElement,
  none: string,
  entries: readonly (readonly [value: string, name: string])[],
  chosen: string | null,
): void {
  const wanted = [['', none], ...entries.map(([value, name]) => [`=${value}`, name])] as const;
  const isSame =
    select.options.length === wanted.length &&
    wanted.every(([value, name], at) => {
      const option = select.options[at];
      return option?.value === value && option.textContent === name;
    });
  if (!isSame)
    select.replaceChildren(...wanted.map(([value = '', name = '']) => element('option', { value }, name)));
  select.value = chosen === null ? '' : `=${chosen}`;
}
