/** Formulas of texts in the list are drawn when they come into sight: a page of a hundred rows is there at once. */

import { showText } from './formulas.ts';

/** Texts that wait to be seen. */
export interface TextWatch {
  /** Shows the text as it is; the formulas in it are drawn when the element comes into sight. */
  show(element: HTMLElement, text: string): void;
}

/** A list shows the beginning of a text only. */
const longestText = 600;

/** Watches the window. */
export function createTextWatch(): TextWatch {
  const waiting = new WeakMap<Element, string>();
  const watch = new IntersectionObserver(
    (entries) => {
      for (const { isIntersecting, target } of entries) {
        const text = waiting.get(target);
        if (!isIntersecting || text === undefined) continue;
        watch.unobserve(target);
        waiting.delete(target);
        target.replaceChildren();
        showText(target as HTMLElement, text);
      }
    },
    { rootMargin: '300px' },
  );
  return {
    show(element, text) {
      const shown = text.length > longestText ? `${text.slice(0, longestText).toWellFormed()} …` : text;
      element.textContent = shown;
      if (globalThis.katexOfPage === undefined) return;
      waiting.set(element, shown);
      watch.observe(element);
    },
  };
}
