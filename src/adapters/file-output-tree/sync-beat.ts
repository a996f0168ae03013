/**
 * When files and folders are synced: many at once, on one beat. The system makes one write of its journal last for all that ask
 * for it together; one by one each would bring a write of its own.
 */

/** How long a sync waits for others (ms). */
const beatMs = 20;

let next: Promise<void> | null = null;

/** Resolves with the next beat, which is at most a moment away. */
export function syncBeat(): Promise<void> {
  next ??= new Promise((done) => {
    setTimeout(() => {
      next = null;
      done();
    }, beatMs);
  });
  return next;
}
