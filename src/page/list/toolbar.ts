/** The controls that filter and sort the list: search, marks, order, table or gallery. */

import { allRows, isNarrowed, parseSort, renderSort, type View } from '../address.ts';
import { createSampleButton } from '../sample/sample-button.ts';
import { element, setAttribute, setText } from '../shared/elements.ts';
import { formatNumber } from '../shared/formats.ts';
import { createSearchField } from '../shared/search-field.ts';
import { words } from '../words.ts';
import { createOwnFilter } from './own-columns.ts';
import { markFilters, sortFields } from './rows.ts';
import { type Go, type Part, shownSort } from './shown.ts';
import { createSuspectFilter } from './suspects.ts';

/** A toolbar; `search` is its text field. */
export interface Toolbar extends Part {
  readonly search: HTMLInputElement;
}

/** The toolbar; `more` goes at its end. `open` opens the first matching row. */
export function createToolbar(go: Go, open: () => void, ...more: readonly HTMLElement[]): Toolbar {
  const w = words();
  const search = createSearchField(w, (text) => go({ text, page: 1 }), open);
  const count = element('output', { class: 'found', id: 'found' });
  const clear = element('button', { type: 'button', class: 'clear', click: () => go(allRows) }, w.clear);
  const marks = createMarkFilter(go);
  const suspects = createSuspectFilter(go);
  const own = createOwnFilter(go);
  const sort = createSort(go);
  const views = createViews(go);
  const sample = createSampleButton(go);
  const tools = [
    search,
    marks.element,
    suspects.element,
    ...own.elements,
    sort.element,
    views.element,
    sample.element,
    ...more,
  ];
  const whole = element('section', { class: 'toolbar', 'aria-label': w.searchLabel }, ...tools);
  whole.append(element('div', { class: 'result' }, count, clear));

  return {
    element: whole,
    search,
    update(shown) {
      const { address, found, rows } = shown;
      // While the reader types, the field is ahead of the address.
      if (document.activeElement !== search && search.value !== address.text) search.value = address.text;
      marks.update(shown);
      suspects.update(shown);
      own.update(shown);
      sort.update(shown);
      views.update(shown);
      sample.update(shown);
      const isPart = isNarrowed({ ...address, sample: shown.sample !== null });
      clear.hidden = !isPart || found.length === 0;
      setText(count, countOf(found.length, rows.count, isPart));
    },
  };
}

function countOf(found: number, all: number, isPart: boolean): string {
  if (!isPart) return words().foundAll(formatNumber(all), all === 1);
  return words().found(formatNumber(found), formatNumber(all));
}

function createMarkFilter(go: Go): Part {
  const w = words();
  const options = markFilters.map((filter) => element('option', { value: filter }, w.markFilter[filter]));
  const change = () => go({ mark: markFilters.find((filter) => filter === select.value) ?? null, page: 1 });
  const any = element('option', { value: '' }, w.anyMark);
  const select = element('select', { id: 'mark', 'aria-label': w.marks, change }, any, ...options);
  return {
    element: select,
    update({ address }) {
      select.value = address.mark ?? '';
    },
  };
}

function createSort(go: Go): Part {
  const w = words();
  const suspectsFirst = element('option', { value: 'suspect' }, w.sort.suspect);
  const options = sortFields
    .slice(1)
    .flatMap((field) => [
      element('option', { value: field }, `${w.sort[field]} ↑`),
      element('option', { value: `-${field}` }, `${w.sort[field]} ↓`),
    ]);
  const change = () => go({ sort: parseSort(select.value), page: 1 });
  const select = element(
    'select',
    { id: 'sort', 'aria-label': w.sortLabel, change },
    suspectsFirst,
    ...options,
  );
  return {
    element: select,
    update(shown) {
      suspectsFirst.hidden = shown.rows.suspectCount === 0;
      const sort = shownSort(shown);
      select.hidden = sort === null;
      if (sort !== null) select.value = renderSort(sort);
    },
  };
}

const views = ['table', 'gallery'] as const satisfies readonly View[];

function createViews(go: Go): Part {
  const buttons = views.map((view) => {
    const click = () => go({ view, page: 1 });
    return element('button', { type: 'button', click }, words()[view]);
  });
  return {
    element: element('div', { class: 'group', role: 'group', 'aria-label': words().viewLabel }, ...buttons),
    update({ address }) {
      for (const [index, button] of buttons.entries()) {
        setAttribute(button, 'aria-pressed', `${views[index] === address.view}`);
      }
    },
  };
}
