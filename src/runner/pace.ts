/** How long a run rests between two turns of its loop: until something happens or is due, and no shorter than what saves commits. */

import { fixed } from '../core/policy.ts';
import type { Clock } from '../ports.ts';

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

  /** Something has come for the next turn; also while no rest is going. */
  wake(): void {
    // A reason of our own: the signal would make an error, with its stack, each time.
    this.#rest.abort('woken');
  }

  noteCommit(): void {
    this.#savedAt = this.#clock.steady();
  }

  /** Rests until it is woken, or until that time (steady ms). */
  async rest(now: number, until: number): Promise<void> {
    if (!this.#rest.signal.aborted) {
      // Never less than a moment: a turn that is due and still does nothing must not keep the world from answering.
      const ms = Math.max(1, Math.min(until - now, longestRestMs));
      await this.#clock.wait(ms, this.#rest.signal);
    }
    await this.#gather();
    this.#rest = new AbortController();
  }

  /**
   * Leaves the commits before a little time, in which more may come for the next: what comes together is saved together. With
   * seven events an item and 64 items at work that halves the commits' share. One that comes alone never waits.
   */
  async #gather(): Promise<void> {
    const sinceMs = this.#clock.steady() - this.#savedAt;
    if (sinceMs < fixed.gatherMs) await this.#clock.wait(fixed.gatherMs - sinceMs);
  }
}
