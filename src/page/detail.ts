/** One row, over the list: its pictures, texts and facts, and the reviewer's mark. */

import type { PageRow } from '../core/page-row.ts';
import type { PageHeading } from '../report/page.ts';
import { element, setText } from './elements.ts';
import { factList, textSections } from './facts.ts';
import { formatNumber } from './formats.ts';
import { annotated, judged, type Mark } from './marks.ts';
import { markOf, type Part, type Shown } from './shown.ts';
import { createStage } from './stage.ts';
import { statusLabel } from './status.ts';
import { suspectLine } from './suspects.ts';
import { createVerdictBar } from './verdict.ts';
import { words } from './words.ts';

/** What the detail requests from the page. */
export interface DetailOrders {
  /** Shows the row this many places further. */
  step(by: number): void;
  /** The reader has closed it. */
  close(): void;
  /** Saves a mark. */
  mark(id: string, mark: Mark): void;
}

/** The detail, open while the address names a row. */
export interface Detail extends Part {
  readonly isOpen: boolean;
  play(): void;
  stepFrame(by: number): void;
  judge(verdict: Mark['verdict']): void;
  focusNote(): void;
  /** Shows the texts again: formulas can be rendered now. */
  forget(): void;
}

export function createDetail(orders: DetailOrders): Detail {
  const w = words();
  let now: { readonly row: PageRow; readonly mark: Mark | null } | null = null;
  const note = (text: string) => {
    if (now !== null) orders.mark(now.row.id, annotated(now.mark, text, now.row.attempts));
  };
  const judge = (verdict: Mark['verdict']) => {
    if (now !== null) orders.mark(now.row.id, judged(now.mark, verdict, now.row.attempts));
    if (bar.isFollowed() && verdict !== null) orders.step(1);
  };
  const bar = createVerdictBar(judge, note);
  const head = createHead(orders);
  const panes = createPanes(bar.element);
  const dialog = element('dialog', { class: 'detail', 'aria-labelledby': 'detail-id' });
  dialog.append(head.element, panes.element);
  dialog.addEventListener('close', () => {
    now = null;
    panes.leave();
    orders.close();
  });
  dialog.addEventListener('click', (event) => {
    if (event.target === dialog) dialog.close();
  });

  const showRow = (row: PageRow, shown: Shown) => {
    const isNew = now?.row.key !== row.key;
    const mark = markOf(shown, row.id);
    now = { row, mark };
    panes.show(row, isNew, shown.heading);
    bar.show(mark, row.attempts, isNew);
    const place = shown.found.indexOf(row);
    const count = formatNumber(shown.found.length);
    head.show(row.id, row, place, place < 0 ? '' : w.placeOf(formatNumber(place + 1), count));
  };

  return {
    element: dialog,
    get isOpen() {
      return dialog.open;
    },
    update(shown) {
      const id = shown.address.row;
      if (id === null) {
        if (dialog.open) dialog.close();
        return;
      }
      const row = now?.row.id === id ? shown.rows.get(now.row.key) : shown.rows.find(id);
      // The row may not be read yet.
      if (row === null && !shown.isRead) return;
      if (!dialog.open) dialog.showModal();
      if (row !== null) {
        showRow(row, shown);
        return;
      }
      now = null;
      panes.showNothing(id);
      head.show(id, null, null, '');
    },
    play: panes.play,
    stepFrame: panes.step,
    judge,
    focusNote: () => bar.note.focus(),
    forget: panes.forget,
  };
}

/** Pictures and verdict on one side, texts and facts on the other. */
function createPanes(bar: HTMLElement) {
  const stage = createStage();
  const texts = element('div', { class: 'texts' });
  const reasons = element('div', { class: 'reasons' });
  const left = element('div', { class: 'left' }, stage.element, reasons, bar);
  const body = element('div', { class: 'detail-body' }, left, texts);
  let staged: PageRow | null = null;
  /** The source of the texts: new frames do not change them, and the reader may have selected words. */
  let said = '';
  return {
    element: body,
    show(row: PageRow, isNew: boolean, heading: PageHeading | null): void {
      left.hidden = false;
      if (isNew || staged !== row) stage.show(row, isNew);
      staged = row;
      reasons.replaceChildren(...[suspectLine(row)].filter((line) => line !== null));
      const toSay = JSON.stringify({ ...row, frames: null });
      if (toSay !== said) texts.replaceChildren(...textSections(row, heading), factList(row));
      said = toSay;
      if (isNew) for (const pane of [body, texts]) pane.scrollTo({ top: 0 });
    },
    showNothing(id: string): void {
      left.hidden = true;
      said = '';
      texts.replaceChildren(element('p', { class: 'whole' }, words().noSuchRow(id)));
    },
    play: () => stage.play(),
    step: (by: number) => stage.step(by),
    leave: () => stage.leave(),
    forget(): void {
      said = '';
    },
  };
}

function createHead(orders: DetailOrders) {
  const w = words();
  const id = element('h2', { id: 'detail-id', tabindex: -1, autofocus: true });
  const about = element('span', { class: 'about' });
  const place = element('span', { class: 'place-in-list' });
  const button = (name: string, sign: string, keys: string, click: () => void) =>
    element('button', { type: 'button', title: `${name} (${keys})`, 'aria-label': name, click }, sign);
  const previous = button(w.previousRow, '‹', 'k', () => orders.step(-1));
  const next = button(w.nextRow, '›', 'j', () => orders.step(1));
  const close = button(w.close, '✕', 'Esc', () => close.closest('dialog')?.close());
  const buttons = element('div', { class: 'head-buttons' }, place, previous, next, close);
  return {
    element: element('header', { class: 'detail-head' }, id, about, buttons),
    show(name: string, row: PageRow | null, at: number | null, said: string): void {
      setText(id, name);
      const number = row?.row === null ? w.gone : w.rowNumber(formatNumber(row?.row ?? 0));
      about.replaceChildren(...(row === null ? [] : [element('span', {}, number), statusLabel(row.status)]));
      setText(place, said);
      previous.disabled = at === 0;
    },
  };
}
