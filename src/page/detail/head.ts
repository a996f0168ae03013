/** The head of the detail: which row it is, and where it is in the list. */

import type { PageRow } from '../../reports/page-wire.ts';
import { element, setText } from '../shared/elements.ts';
import { formatNumber } from '../shared/formats.ts';
import { statusLabel } from '../status.ts';
import { words } from '../words.ts';

/** `step` shows the row this many places further. */
export function createHead(step: (by: number) => void) {
  const w = words();
  const id = element('h2', { id: 'detail-id', tabindex: -1, autofocus: true });
  const about = element('span', { class: 'about' });
  const place = element('span', { class: 'place-in-list' });
  const button = (name: string, sign: string, keys: string, click: () => void) =>
    element('button', { type: 'button', title: `${name} (${keys})`, 'aria-label': name, click }, sign);
  const previous = button(w.previousRow, '‹', 'k', () => step(-1));
  const next = button(w.nextRow, '›', 'j', () => step(1));
  const close = button(w.close, '✕', 'Esc', () => close.closest('dialog')?.close());
  const buttons = element('div', { class: 'head-buttons' }, place, previous, next, close);
  return {
    element: element('header', { class: 'detail-head' }, id, about, buttons),
    focus: () => id.focus(),
    show(name: string, row: PageRow | null, at: number | null, placeText: string): void {
      setText(id, name);
      const number = row?.row === null ? w.gone : w.rowNumber(formatNumber(row?.row ?? 0));
      about.replaceChildren(...(row === null ? [] : [element('span', {}, number), statusLabel(row.status)]));
      setText(place, placeText);
      previous.disabled = at === 0;
    },
  };
}
