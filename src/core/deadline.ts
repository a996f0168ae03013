/**
 * When a request is given up. A process that was stopped, or that had no turn, is woken by its timers before it has read what
 * lies in its sockets: a deadline that rings late says nothing yet.
 */

/** What reads a clock that is never set, and rings. */
export interface Timers {
  /** Milliseconds. */
  now(): number;
  /** Rings once; what is given back takes it back. */
  after(ms: number, ring: () => void): () => void;
}

/** The shortest grace (ms): time for one turn, in which what has arrived is read. */
const turnMs = 10;
/** The longest (ms): what fits into the buffers of a connection is read in less. */
const longestGraceMs = 1_000;
/** A grace that rings as late as this (ms) was no time to read. */
const lateGraceMs = 100;
/** A process that never has its turn must come to an end, too. */
const mostGraces = 5;

/**
 * Calls `stop` at the deadline; when it rings late, only after a grace in which what came in time is read. `isWaiting` says
 * whether anything could have come. Gives back how to take it back.
 */
export function keepDeadline(
  timers: Timers,
  timeoutMs: number,
  isWaiting: () => boolean,
  stop: () => void,
): () => void {
  let takeBack!: () => void;
  const arm = (ms: number, graces: number): void => {
    const dueAt = timers.now() + ms;
    takeBack = timers.after(ms, () => {
      const lateMs = timers.now() - dueAt;
      const isRead = graces === mostGraces || (graces > 0 && lateMs < lateGraceMs);
      if (isRead || !isWaiting()) stop();
      else arm(turnMs + Math.min(Math.max(lateMs, 0), longestGraceMs), graces + 1);
    });
  };
  arm(timeoutMs, 0);
  return () => takeBack();
}
