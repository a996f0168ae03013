/** The line that says that the page does not work, which it carries itself, so that it needs no script to be read. */

/** Hides the line, and shows it again when something fails. */
export function hideUntilFailure(): void {
  const line = document.getElementById('failure-line');
  if (line === null) return;
  line.hidden = true;
  const show = (event: Event) => {
    // A browser's own remark on how it drew the page: nothing is missing.
    if (!(event instanceof ErrorEvent && event.message.startsWith('ResizeObserver'))) line.hidden = false;
  };
  addEventListener('error', show);
  addEventListener('unhandledrejection', show);
}
