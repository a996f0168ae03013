/** All videos: the chapters, the search, and the list. */

import type { PupilVideo } from '../../reports/pupil-wire.ts';
import { element, setText } from '../shared/elements.ts';
import { createChapters } from './chapters.ts';
import { createList, type List } from './list.ts';
import { createTools } from './tools.ts';

/** What the list asks of the page. */
interface BrowseOrders {
  /** What is searched for already. */
  readonly text: string;
  find(text: string): void;
  /** Opens the video of this link, on a click. */
  openLink(link: string): void;
  /** The place of a video on the page, from 1. */
  placeOf(video: PupilVideo): number;
}

export interface Browse extends Pick<List, 'element' | 'add' | 'focus' | 'step' | 'showFormulas'> {
  readonly search: HTMLInputElement;
  /** Shows only these of all; `isPart` where something is searched for. */
  show(found: readonly PupilVideo[], all: number, isPart: boolean, isRead: boolean): void;
  /** Says something above the list; '' for nothing. */
  say(text: string): void;
}

export function createBrowse(chapters: readonly string[], orders: BrowseOrders): Browse {
  const list = createList(chapters, orders.placeOf);
  const nav = createChapters(chapters, list.jump);
  const openFirst = () => list.element.querySelector<HTMLElement>('.card:not([hidden]) a.open')?.click();
  const tools = createTools(orders.text, orders.find, openFirst);
  const notice = element('p', { class: 'notice', role: 'status', hidden: true });
  const column = element('div', { class: 'column' }, tools.element, notice, list.element, tools.nothing);
  list.element.addEventListener('click', (event) => {
    const link = (event.target as Element).closest<HTMLElement>('a.open');
    const isPlain = !(event.ctrlKey || event.metaKey || event.shiftKey || event.altKey);
    if (link === null || !isPlain) return;
    event.preventDefault();
    orders.openLink(link.dataset.anchor ?? '');
  });
  const whole = element('div', { class: 'browse' }, nav.element, column);
  whole.classList.toggle('with-chapters', chapters.length > 0);
  return {
    ...list,
    element: whole,
    search: tools.search,
    show(found, all, isPart, isRead) {
      list.narrow(isPart ? new Set(found) : null);
      nav.show(found);
      tools.show(found.length, all, isRead);
    },
    say(text) {
      setText(notice, text);
      notice.hidden = text === '';
    },
  };
}
