/** Renders formulas in the list when they become visible, so that a page of a hundred rows appears at once. */

import { onOneLine, showText } from './formulas.ts';

/** Texts not visible yet. */
export interface TextWatch {
  /** Shows the plain text; renders its formulas when the element becomes visible. */
  show(element: HTMLElement, text: string): void;
}

/** A list shows only the beginning of a text. */
const longestText = 600;

/** Watches the viewport. */
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
        showText(target as HTMLElement, text, true);
      }
    },
    { rootMargin: '300px' },
  );
  return {
    show(element, text) {
      const shown = text.length > longestText ? `${text.slice(0, longestText)} …` : text;
      element.textContent = onOneLine(shown);
      if (globalThis.katexOfPage === undefined) return;
      waiting.set(element, shown);
      watch.observe(element);
    },
  };
}
