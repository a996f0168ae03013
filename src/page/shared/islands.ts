/** Reads the page's data islands while the browser is still loading the rest. */

/** Receives what is read. */
export interface IslandListener<Entry> {
  batch(entries: readonly Entry[]): void;
  /** Everything is read. */
  end(): void;
}

/** Passes on every island of this class when it is complete, and removes it: its text is not needed again. */
export function readIslands<Entry>(name: string, on: IslandListener<Entry>): void {
  const pass = (island: Element): void => {
    island.remove();
    on.batch(JSON.parse(island.textContent ?? '[]') as Entry[]);
  };
  const islands = (): NodeListOf<Element> => document.querySelectorAll(`script.${name}`);
  const watch = new MutationObserver(() => {
    // The browser may have loaded only part of the last island; one with something after it is complete.
    for (const island of islands()) if (island.nextSibling !== null) pass(island);
  });
  watch.observe(document.body, { childList: true });
  document.addEventListener('DOMContentLoaded', () => {
    watch.disconnect();
    for (const island of islands()) pass(island);
    on.end();
  });
}

/** Calls `then` once, as soon as the island of this id is complete. */
export function awaitIsland(id: string, then: (island: unknown) => void): void {
  const pass = (): void => {
    watch.disconnect();
    document.removeEventListener('DOMContentLoaded', pass);
    then(readIsland(id));
  };
  const watch = new MutationObserver(() => {
    if (document.getElementById(id)?.nextSibling) pass();
  });
  watch.observe(document.body, { childList: true });
  document.addEventListener('DOMContentLoaded', pass);
}

/** The island of this id; null where there is none. */
export function readIsland(id: string): unknown {
  return JSON.parse(document.getElementById(id)?.textContent ?? 'null');
}
