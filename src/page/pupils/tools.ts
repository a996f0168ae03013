/** What stands above the list: the search, and how many videos there are. */

import { element, setText } from '../shared/elements.ts';
import { formatNumber } from '../shared/formats.ts';
import { createSearchField } from '../shared/search-field.ts';
import { words } from './words.ts';

export interface Tools {
  readonly element: HTMLElement;
  readonly search: HTMLInputElement;
  /** What is said where nothing is found. */
  readonly nothing: HTMLElement;
  show(found: number, all: number, isRead: boolean): void;
}

/** `find` searches this text; `open` opens the first video found. */
export function createTools(text: string, find: (text: string) => void, open: () => void): Tools {
  const w = words();
  const clear = () => {
    search.value = '';
    find('');
  };
  const search = createSearchField(w, find, open);
  search.value = text;
  const count = element('output', { class: 'found', id: 'found' });
  const said = element('p');
  const all = element('button', { type: 'button', click: clear }, w.showAll);
  const nothing = element('div', { class: 'nothing-found', hidden: true }, said, all);
  return {
    element: element('section', { class: 'toolbar', 'aria-label': w.searchLabel }, search, count),
    search,
    nothing,
    show(found, total, isRead) {
      const isPart = search.value.trim() !== '';
      setText(
        count,
        isPart
          ? w.found(formatNumber(found), formatNumber(total))
          : w.videos(formatNumber(total), total === 1),
      );
      nothing.hidden = found > 0 || !isRead;
      all.hidden = total === 0;
      setText(said, total === 0 ? w.noVideos : w.nothingFound);
    },
  };
}
