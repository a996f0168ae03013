/** The rows as the page's file brings them: data islands, read while the browser is still loading those after them. */

import type { PageHeading } from '../report/page.ts';
import type { PageRow } from '../report/page-row.ts';

/** Who wants to know. */
export interface IslandListener {
  rows(rows: readonly PageRow[]): void;
  /** Everything is read. */
  end(heading: PageHeading): void;
}

/** Passes on every island as soon as it is whole, and takes it out of the page: its text is not needed twice. */
export function readIslands(on: IslandListener): void {
  const watch = new MutationObserver(() => readWhole(on));
  watch.observe(document.body, { childList: true });
  document.addEventListener('DOMContentLoaded', () => {
    watch.disconnect();
    for (const island of document.querySelectorAll('script.rows')) readIsland(island, on);
    const heading = document.getElementById('heading')?.textContent ?? 'null';
    on.end(JSON.parse(heading) as PageHeading);
  });
}

/** The browser may stop in the middle of an island; one that something follows is whole. */
function readWhole(on: IslandListener): void {
  for (const island of document.querySelectorAll('script.rows')) {
    if (island.nextSibling !== null) readIsland(island, on);
  }
}

function readIsland(island: Element, on: IslandListener): void {
  island.remove();
  on.rows(JSON.parse(island.textContent ?? '[]') as PageRow[]);
}
