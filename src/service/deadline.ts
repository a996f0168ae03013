/**
 * Pure. When a request is given up. A process that was suspended or starved runs its timers before it reads its sockets, so a
 * late deadline proves nothing yet.
 */

/** A clock that is never set, with timers. */
export interface Timers {
  /** Milliseconds. */
  now(): number;
  /** Runs `ring` once; returns a function that cancels it. */
  after(ms: number, ring: () => void): () => void;
}

/** The shortest grace (ms): one turn of the event loop, to read what has arrived. */
const turnMs = 10;
/** The longest (ms): enough to read full connection buffers. */
const longestGraceMs = 1_000;
/** A grace whose timer is this late (ms) was not spent reading. */
const lateGraceMs = 100;
/** Limits the wait of a process that is always starved. */
const mostGraces = 5;

/**
 * Calls `stop` at the deadline; when the timer is late, first allows a grace to read what arrived in time. `isWaiting`
 * says whether an answer is possible at all. Returns a function that cancels the deadline.
 */
export function keepDeadline(
  timers: Timers,
  timeoutMs: number,
  isWaiting: () => boolean,
  stop: () => void,
): () => void {
  let cancel!: () => void;
  const arm = (ms: number, graces: number): void => {
    const dueAt = timers.now() + ms;
    cancel = timers.after(ms, () => {
      const lateMs = timers.now() - dueAt;
      const isRead = graces === mostGraces || (graces > 0 && lateMs < lateGraceMs);
      if (isRead || !isWaiting()) stop();
      else arm(turnMs + Math.min(Math.max(lateMs, 0), longestGraceMs), graces + 1);
    });
  };
  arm(timeoutMs, 0);
  return () => cancel();
}
