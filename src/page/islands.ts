/** Reads the rows from the page's data islands while the browser is still loading the rest. */

import type { PageHeading } from '../reports/page.ts';
import { type PackedRow, type PageRow, unpackRow } from '../reports/page-wire.ts';

/** Receives what is read. */
export interface IslandListener {
  rows(rows: readonly PageRow[]): void;
  /** Everything is read. */
  end(heading: PageHeading): void;
}

/** Passes on every island when it is complete, and removes it: its text is not needed again. */
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

/** The browser may have loaded only part of the last island; one with something after it is complete. */
function readWhole(on: IslandListener): void {
  for (const island of document.querySelectorAll('script.rows')) {
    if (island.nextSibling !== null) readIsland(island, on);
  }
}

function readIsland(island: Element, on: IslandListener): void {
  island.remove();
  const packed = JSON.parse(island.textContent ?? '[]') as PackedRow[];
  on.rows(packed.map(unpackRow));
}
