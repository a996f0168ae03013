/** When open tasks are polled: one tick for all of them; ticks never overlap and never pile up. */

import type { AskedPause } from '../../money/answers/retry-after.ts';
import { fixed, type Policy } from '../../money/policy.ts';
import { nextTickAt } from '../../money/tick.ts';
import type { Clock, Obstacle } from '../../ports.ts';

/** Times are steady ms, except in a `Hold`. */
export class Sweeps {
  readonly #policy: Policy;
  readonly #clock: Clock;
  #lastTickAt: number | null = null;
  #isGoing = false;
  #tickCount = 0;
  /** The service asked for no polls before this time. */
  #notBefore = 0;
  /** Since when polls get no answer (epoch ms); null while they do. */
  #silentSince: number | null = null;
  /** Why the latest poll got no answer. */
  #failure = '';
  /** True once a poll of the latest sweep was answered. */
  #wasAnswered = false;
  #isSilenceAnnounced = false;
  /** Polls in a row without an answer. */
  #silentInRow = 0;
  /** Of the latest polls, whether each got an answer. */
  readonly #latest: boolean[] = [];
  #isShareAnnounced = false;

  constructor(policy: Policy, clock: Clock) {
    this.#policy = policy;
    this.#clock = clock;
  }

  /** True once for each tick: the next one is an interval away, and one sweep makes up for any pause. */
  beginTick(now: number): boolean {
    if (this.#isGoing || now < this.nextAt(now)) return false;
    this.#lastTickAt = now;
    this.#tickCount += 1;
    return true;
  }

  /** True at each tick at which lost rows are polled again. */
  get isForLost(): boolean {
    return this.#tickCount % fixed.lostTicks === 0;
  }

  /** True until all polls of a tick are answered. */
  get isGoing(): boolean {
    return this.#isGoing;
  }

  /**
   * The sweep of this tick; the next tick waits for its end. `poll` never rejects. Only as many polls start as there
   * are connections: queueing 100,000 takes 850 MB, half as much processor time again, and blocks everything else for
   * 150 ms.
   */
  async sweep<T>(due: Generator<T>, poll: (entry: T) => Promise<void>): Promise<void> {
    const pollInTurn = async (): Promise<void> => {
      for (const entry of due) await poll(entry);
    };
    this.#isGoing = true;
    this.#wasAnswered = false;
    await Promise.all(Array.from({ length: fixed.pollConnections }, pollInTurn));
    this.#isGoing = false;
  }

  /** A poll got no answer; the service may have asked for a pause (ms). `isUnread`: it got one, which cannot be read. */
  noteSilence(retryAfterMs: AskedPause, failure: string, isUnread = false): void {
    this.#silentSince ??= this.#clock.now();
    this.#failure = failure;
    this.#silentInRow += 1;
    if (!isUnread) this.#noteLatest(false);
    if (retryAfterMs === null) return;
    const askedMs = retryAfterMs === 'unclear' ? fixed.pollPauseMaxMs : retryAfterMs;
    const until = this.#clock.steady() + Math.min(askedMs, fixed.pollPauseMaxMs);
    this.#notBefore = Math.max(this.#notBefore, until);
  }

  noteAnswer(): void {
    this.#silentSince = null;
    this.#silentInRow = 0;
    // What failed in an outage is no share of what fails after it.
    if (this.#isSilenceAnnounced) this.#latest.length = 0;
    this.#wasAnswered = true;
    this.#isSilenceAnnounced = false;
    this.#noteLatest(true);
  }

  #noteLatest(isAnswered: boolean): void {
    this.#latest.push(isAnswered);
    if (this.#latest.length > fixed.latestPolls) this.#latest.shift();
    if (!this.#latest.includes(false)) this.#isShareAnnounced = false;
  }

  /**
   * How many of a hundred polls get no answer, and why, once per trouble, so that the user knows what the run waits for: 100 where a
   * whole sweep got none, and more of them in a row than bad luck explains; else that of the latest polls.
   */
  newSilence(): { readonly percent: number; readonly failure: string } | null {
    const failed = this.#latest.filter((isAnswered) => !isAnswered).length;
    const isLuck = this.#silentInRow < fixed.silentPolls && failed < this.#latest.length;
    if (this.#silentSince !== null && !this.#wasAnswered && !isLuck) {
      if (this.#isSilenceAnnounced) return null;
      this.#isSilenceAnnounced = true;
      return { percent: 100, failure: this.#failure };
    }
    if (this.#isShareAnnounced || failed < fixed.silentPolls) return null;
    this.#isShareAnnounced = true;
    return { percent: Math.ceil((100 * failed) / this.#latest.length), failure: this.#failure };
  }

  /** For how long (ms) no status request was answered; 0 while they are. */
  get silentMs(): number {
    return this.#silentSince === null ? 0 : this.#clock.now() - this.#silentSince;
  }

  /** What keeps open tasks from being polled; null for nothing. */
  obstacle(now: number): Obstacle | null {
    if (this.isPaused(now)) return { why: 'poll-pause', until: this.#clock.now() + this.#notBefore - now };
    return this.#silentSince === null ? null : { why: 'silence', since: this.#silentSince };
  }

  /** True while the service asked for no polls. */
  isPaused(now: number): boolean {
    return this.#notBefore > now;
  }

  /** When the next tick is due; infinite while a sweep is in progress. */
  nextAt(now: number): number {
    if (this.#isGoing) return Number.POSITIVE_INFINITY;
    return Math.max(nextTickAt(this.#lastTickAt, now, this.#policy), this.#notBefore);
  }
}
