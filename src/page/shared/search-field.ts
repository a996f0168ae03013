/** The field that a reader searches in. */

import { element } from './elements.ts';

/** What is said of the field. */
interface SearchWords {
  readonly search: string;
  readonly searchLabel: string;
}

/** `find` receives what is typed; `open` opens the first of what is found. */
export function createSearchField(
  w: SearchWords,
  find: (text: string) => void,
  open: () => void,
): HTMLInputElement {
  const field = element('input', {
    type: 'search',
    id: 'search',
    placeholder: w.search,
    'aria-label': w.searchLabel,
    spellcheck: 'false',
    autocomplete: 'off',
    'aria-keyshortcuts': '/',
    input: () => find(field.value),
    keydown: (event) => {
      const { key, isComposing } = event as KeyboardEvent;
      if (isComposing) return;
      if (key === 'Enter') open();
      if (key === 'Escape') field.blur();
    },
  });
  return field;
}
