/** When the open tasks are asked about: one beat for all of them, which never overlaps and never piles up. */

import { fixed, type Policy } from '../core/policy.ts';
import { nextTickAt, pauseEnd } from '../core/tick.ts';
import type { Hold } from '../ports.ts';

export class Sweeps {
  readonly #policy: Policy;
  #lastTickAt: number | null = null;
  #isGoing = false;
  /** The service asked not to be polled before (epoch ms). */
  #notBefore = 0;
  /** Since when polls bring no answer (epoch ms); null while they do. */
  #silentSince: number | null = null;

  constructor(policy: Policy) {
    this.#policy = policy;
  }

  /** True once for each beat: the next one is an interval away, and a pause is made up for by one sweep only. */
  takeTick(now: number): boolean {
    if (this.#isGoing || now < this.nextAt(now)) return false;
    this.#lastTickAt = now;
    return true;
  }

  /** True while the polls of a beat are not all answered. */
  get isGoing(): boolean {
    return this.#isGoing;
  }

  /**
   * The sweep of this beat; the next beat waits for its end. `poll` never rejects. No more polls are ordered than there are
   * connections: 100,000 that wait in a line take 850 MB, half as much processor time again, and stop all else for 150 ms.
   */
  async carryOut<T>(due: Generator<T>, poll: (entry: T) => Promise<void>): Promise<void> {
    const takeTurns = async (): Promise<void> => {
      for (const entry of due) await poll(entry);
    };
    this.#isGoing = true;
    await Promise.all(Array.from({ length: fixed.pollConnections }, takeTurns));
    this.#isGoing = false;
  }

  /** A poll brought no answer; the service may have asked for a pause (ms). */
  noteSilence(now: number, retryAfterMs: number | null): void {
    this.#silentSince ??= now;
    if (retryAfterMs !== null)
      this.#notBefore = Math.max(this.#notBefore, now + Math.min(retryAfterMs, fixed.retryAfterMaxMs));
  }

  noteAnswer(): void {
    this.#silentSince = null;
  }

  /** What keeps open tasks from being asked about; null for nothing. */
  hold(now: number): Hold | null {
    if (this.isPaused(now)) return { why: 'poll-pause', until: pauseEnd(this.#notBefore, now) };
    return this.#silentSince === null ? null : { why: 'silence', since: this.#silentSince };
  }

  /** True while the service does not want to be polled. */
  isPaused(now: number): boolean {
    return pauseEnd(this.#notBefore, now) > now;
  }

  /** When the next beat is due (epoch ms); infinite while a sweep is going. */
  nextAt(now: number): number {
    if (this.#isGoing) return Number.POSITIVE_INFINITY;
    return Math.max(nextTickAt(this.#lastTickAt, now, this.#policy), pauseEnd(this.#notBefore, now));
  }
}
