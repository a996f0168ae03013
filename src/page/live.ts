/** A live page hears from its server what changes. */

import type { PageHeading } from '../report/page.ts';
import type { PageRow } from '../report/page-row.ts';

/** Who is told. */
export interface LiveListener {
  /** Rows as they are now, old and new ones. */
  rows(rows: readonly PageRow[]): void;
  heading(heading: PageHeading): void;
  /** False while nothing can be heard. */
  connection(isOpen: boolean): void;
}

/** The browser itself comes again after a lost connection, but not after a refusal. */
const retryMs = 5_000;

/** How soon it is looked again whether the page may be loaded again. */
const reloadRetryMs = 1_000;

/**
 * Hears from now on what has changed since the page was made. A page nobody sees hears nothing, and catches up when it is seen:
 * a browser has six connections for all pages of a server, and each that hears takes one. `inputVersion` is that of the rows
 * on the page; where another one is told the page loads itself again.
 */
export function follow(inputVersion: PageHeading['inputVersion'], on: LiveListener): void {
  let version = document.getElementById('version')?.textContent ?? '';
  let source: EventSource | null = null;
  let retry = 0;
  let isOutdated = false;

  function open(): void {
    if (source !== null || document.hidden) return;
    const opened = new EventSource(`events?since=${encodeURIComponent(version)}`);
    source = opened;
    opened.addEventListener('open', () => on.connection(true));
    opened.addEventListener('rows', ({ data }) => on.rows(JSON.parse(data) as PageRow[]));
    opened.addEventListener('heading', ({ data, lastEventId }) => {
      version = lastEventId;
      const heading = JSON.parse(data) as PageHeading;
      on.heading(heading);
      if (isOutdated || heading.inputVersion === inputVersion) return;
      isOutdated = true;
      loadAgain();
    });
    opened.addEventListener('error', () => {
      on.connection(false);
      if (opened.readyState !== EventSource.CLOSED) return;
      close();
      retry = window.setTimeout(open, retryMs);
    });
  }

  function close(): void {
    window.clearTimeout(retry);
    source?.close();
    source = null;
  }

  document.addEventListener('visibilitychange', () => (document.hidden ? close() : open()));
  open();
}

/** What the page shows and what was noted on it outlives that: the one stands in the address, the other is kept. */
function loadAgain(): void {
  if (isInUse()) window.setTimeout(loadAgain, reloadRetryMs);
  else location.reload();
}

/** While a video plays, or somebody writes: the letters that follow would be orders to the page. */
function isInUse(): boolean {
  const isPlaying = [...document.querySelectorAll('video')].some((video) => !video.paused && !video.ended);
  return isPlaying || (document.activeElement?.matches('textarea, input:not([type=checkbox])') ?? false);
}
