/** Receives changes from the server of a live page. */

import type { PageHeading } from '../reports/page.ts';
import { type PackedRow, type PageRow, unpackRow } from '../reports/page-wire.ts';

/** Receives the events. */
export interface LiveListener {
  /** New and changed rows. */
  rows(rows: readonly PageRow[]): void;
  heading(heading: PageHeading): void;
  /** False while the connection is lost. */
  connection(isOpen: boolean): void;
}

/** The browser reconnects after a lost connection, but not after a refusal. */
const retryMs = 5_000;

/** How often to check whether the page may reload. */
const reloadRetryMs = 1_000;

/**
 * Receives changes since the page was made. A hidden page disconnects, and catches up when it is shown again: a browser
 * allows six connections per server, and each live page takes one. `inputVersion` is that of the rows on the page; the
 * page reloads when it changes.
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
    opened.addEventListener('rows', ({ data }) => on.rows((JSON.parse(data) as PackedRow[]).map(unpackRow)));
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

/** The state of the page survives: it is in the address, and notes are saved. */
function loadAgain(): void {
  if (isInUse()) window.setTimeout(loadAgain, reloadRetryMs);
  else location.reload();
}

/** True while a video plays or the reader types: a reload would turn the next letters into commands. */
function isInUse(): boolean {
  const isPlaying = [...document.querySelectorAll('video')].some((video) => !video.paused && !video.ended);
  return isPlaying || (document.activeElement?.matches('textarea, input:not([type=checkbox])') ?? false);
}
