/**
 * How long a run rests between two turns of its loop: until something happens or is due, but long enough to save
 * commits.
 */

import { fixed } from '../../money/policy.ts';
import type { Clock } from '../../ports.ts';
import type { Effects } from '../effects.ts';

/** Longest rest without an event (ms); timers cannot wait longer than 2^31. */
const longestRestMs = 3_600_000;

export class Pace {
  readonly #clock: Clock;
  #rest = new AbortController();
  /** When the latest commit ended (steady ms). */
  #savedAt = Number.NEGATIVE_INFINITY;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** There is something for the next turn; also valid while nothing rests. */
  wake(): void {
    // An explicit reason: by default the signal creates an error with a stack each time.
    this.#rest.abort('woken');
  }

  noteCommit(): void {
    this.#savedAt = this.#clock.steady();
  }

  /** Rests until woken, or until that time (steady ms), and while `effects` may soon bring more events. */
  async rest(now: number, until: number, effects: Pick<Effects, 'quiet'>): Promise<void> {
    if (!this.#rest.signal.aborted) {
      // At least a moment: a turn that is due and does nothing must not block the event loop.
      const ms = Math.max(1, Math.min(until - now, longestRestMs));
      await this.#clock.wait(ms, this.#rest.signal);
    }
    await this.#gather(effects.quiet);
    this.#rest = new AbortController();
  }

  /**
   * Waits shortly after a commit for more events, which are then saved together; `quiet` is aborted once none is on its way.
   */
  async #gather(quiet: AbortSignal): Promise<void> {
    const sinceMs = this.#clock.steady() - this.#savedAt;
    if (sinceMs < fixed.gatherMs && !quiet.aborted) await this.#clock.wait(fixed.gatherMs - sinceMs, quiet);
  }
}
