/** One page of the matching rows, as a table or gallery, with links to the other pages. */

import type { WireMark } from '../../money/review/review-wire.ts';
import type { PageRow } from '../../reports/page-wire.ts';
import { allRows, renderAddress } from '../address.ts';
import type { Mark } from '../marks/mark.ts';
import { arrange, element, setAttribute, setText } from '../shared/elements.ts';
import { formatNumber } from '../shared/formats.ts';
import { stepFocus } from '../shared/keys.ts';
import { createTextWatch } from '../shared/text-watch.ts';
import { words } from '../words.ts';
import type { Entry } from './entry.ts';
import { createCard } from './gallery.ts';
import { ownCell } from './rows.ts';
import { type Go, markOf, othersOn, type Part } from './shown.ts';
import { createLine, createTable } from './table.ts';

/** Rows on one page of the list. */
const pageLength = { table: 100, gallery: 60 } as const;

/** The list; rows are links, so that the browser's link features work. */
export interface List extends Part {
  /** Moves the focus by this many rows; false where the page of the list ends. */
  step(by: number): boolean;
  /** Moves the focus to a row; false where it is not on this page. */
  focus(id: string): boolean;
  /** Rebuilds all rows: formulas can be rendered now, or the language changed. */
  forget(): void;
}

interface Made {
  readonly row: PageRow;
  readonly mark: Mark | null;
  readonly others: readonly WireMark[];
  readonly element: HTMLElement;
}

/** The page of the list that contains the row at this place (from 0). */
export function pageOf(place: number, view: 'table' | 'gallery'): number {
  return Math.floor(place / pageLength[view]) + 1;
}

/** Each read from the browser's storage returns new objects. */
function isSameMark(a: Mark | null, b: Mark | null): boolean {
  return (['verdict', 'note', 'attempt', 'question', 'answer', 'prefer'] as const).every(
    (name) => a?.[name] === b?.[name],
  );
}

export function createList(go: Go): List {
  const texts = createTextWatch();
  const table = createTable(go);
  const gallery = element('ul', { class: 'gallery' });
  const pager = createPager(go);
  const none = element(
    'div',
    { class: 'nothing-found', hidden: true },
    element('p', {}, words().nothingFound),
    element('button', { type: 'button', click: () => go(allRows) }, words().clear),
  );
  const whole = element('div', { class: 'list' }, table.element, gallery, none, pager.element);
  let made = new Map<number, Made>();
  let madeFor = '';

  const links = (): HTMLElement[] => [...whole.querySelectorAll<HTMLElement>('a.open')];

  return {
    element: whole,
    update(shown) {
      const { address, found } = shown;
      const { view } = address;
      const isTable = view === 'table';
      const pages = Math.max(1, Math.ceil(found.length / pageLength[view]));
      const page = Math.min(address.page, pages);
      const rows = found.slice((page - 1) * pageLength[view], page * pageLength[view]);
      const base = renderAddress({ ...address, row: null });
      const { column } = address;
      const at = column === null ? -1 : shown.rows.columns.indexOf(column);
      const name = `${view} ${at}`;
      if (madeFor !== name) made.clear();
      madeFor = name;
      const before = made;
      made = new Map();
      for (const row of rows) {
        const mark = markOf(shown, row.id);
        const known = before.get(row.key);
        const others = othersOn(shown, row.id);
        const isSame = known?.row === row && known.others === others && isSameMark(known.mark, mark);
        const link = `${base === '#' ? '#' : `${base}&`}${new URLSearchParams({ row: row.id })}`;
        const own = column === null || at < 0 ? null : { column, text: ownCell(row, at) };
        const entry: Entry = { row, mark, others, own, link, showText: texts.show };
        const shape = isSame ? known.element : isTable ? createLine(entry) : createCard(entry);
        setAttribute(shape.querySelector('a.open') ?? shape, 'href', link);
        made.set(row.key, { row, mark, others, element: shape });
      }
      const shapes = [...made.values()].map(({ element }) => element);
      keepingFocus(whole, () => arrange(isTable ? table.body : gallery, shapes));
      if (isTable) gallery.replaceChildren();
      else table.body.replaceChildren();
      table.update(shown);
      table.element.hidden = !isTable || rows.length === 0;
      gallery.hidden = isTable || rows.length === 0;
      none.hidden = found.length > 0 || shown.rows.count === 0;
      pager.show(page, pages);
    },
    step: (by) => stepFocus(links(), by),
    focus(id) {
      const link = links().find((one) => one.dataset.id === id);
      link?.focus();
      return link !== undefined;
    },
    forget() {
      made.clear();
    },
  };
}

/** Keeps the focus on a row that is rebuilt. */
function keepingFocus(whole: HTMLElement, change: () => void): void {
  const focused = document.activeElement;
  const id = focused instanceof HTMLElement && whole.contains(focused) ? focused.dataset.id : undefined;
  change();
  if (id === undefined || whole.contains(document.activeElement)) return;
  const link = [...whole.querySelectorAll<HTMLElement>('a.open')].find((one) => one.dataset.id === id);
  link?.focus({ preventScroll: true });
}

function createPager(go: Go) {
  const w = words();
  let page = 1;
  let pages = 1;
  const leap = (name: string, sign: string, target: () => number) => {
    const click = () => {
      go({ page: target() });
      scrollTo({ top: 0 });
    };
    return element('button', { type: 'button', title: name, 'aria-label': name, click }, sign);
  };
  const backwards = [leap(w.first, '«', () => 1), leap(w.previousPage, '‹', () => page - 1)];
  const forwards = [leap(w.nextPage, '›', () => page + 1), leap(w.last, '»', () => pages)];
  const text = element('span');
  const whole = element('nav', { class: 'pager', 'aria-label': w.pages }, ...backwards, text, ...forwards);
  return {
    element: whole,
    show(current: number, count: number): void {
      page = current;
      pages = count;
      whole.hidden = pages === 1;
      setText(text, w.pageOf(formatNumber(page), formatNumber(pages)));
      for (const button of backwards) button.disabled = page === 1;
      for (const button of forwards) button.disabled = page === pages;
    },
  };
}
