/**
 * What callbacks lead to. Anybody who knows the address of a row may call it as often as he likes: the service is asked
 * about one row by one request at a time, and no more often than the pause between them allows.
 */

import { fixed } from '../core/policy.ts';
import type { Clock } from '../ports.ts';
import type { Entry } from './entry.ts';

/** What callbacks ask of the runner. */
export interface CallbackOutlet {
  /** Asks about an item that may be polled now. */
  ask(entry: Entry): void;
  /** Finds out whether an uncertain item has this task, and says so if it has. */
  tryTask(key: number, taskId: string): Promise<void>;
}

export class CallbackPolls {
  readonly #clock: Clock;
  readonly #outlet: CallbackOutlet;
  readonly #askedAt = new WeakMap<Entry, number>();
  /** Items whose next question is waiting for its time; further callbacks about them add nothing. */
  readonly #waiting = new WeakSet<Entry>();
  /** Task ids that were named for an item and are being tried, one after the other. */
  readonly #claims = new Map<number, Set<string>>();

  /** What was named for items whose creation is unanswered: it counts if no answer comes. */
  readonly #kept = new Map<number, Set<string>>();

  constructor(clock: Clock, outlet: CallbackOutlet) {
    this.#clock = clock;
    this.#outlet = outlet;
  }

  /**
   * There is news about an item: it is asked about now, or as soon as its last question is answered and old enough. The
   * last callback is never lost: an answer that is on its way may be older than the news.
   */
  async noteNews(entry: Entry): Promise<void> {
    if (this.#waiting.has(entry)) return;
    this.#waiting.add(entry);
    const askedAt = this.#askedAt.get(entry) ?? Number.NEGATIVE_INFINITY;
    const passedMs = this.#clock.steady() - askedAt;
    if (passedMs < fixed.callbackPauseMs) await this.#clock.wait(fixed.callbackPauseMs - passedMs);
    while (entry.busy.has('poll')) await this.#clock.wait(fixed.callbackPauseMs);
    this.#waiting.delete(entry);
    this.#askedAt.set(entry, this.#clock.steady());
    this.#outlet.ask(entry);
  }

  /** Somebody calls about an item whose creation is on its way. */
  keepClaim(key: number, taskId: string | null): void {
    if (taskId === null) return;
    const kept = this.#kept.get(key) ?? new Set();
    if (kept.size < fixed.callbackClaims) this.#kept.set(key, kept.add(taskId));
  }

  /** The creation of this item has ended. */
  release(key: number, isUncertain: boolean): void {
    const kept = this.#kept.get(key) ?? [];
    this.#kept.delete(key);
    if (isUncertain) for (const taskId of kept) void this.noteClaim(key, taskId);
  }

  /** Somebody says that this is the task of an uncertain item. Beyond a few at a time, names are not listened to. */
  async noteClaim(key: number, taskId: string): Promise<void> {
    const known = this.#claims.get(key);
    if (known !== undefined) {
      if (known.size < fixed.callbackClaims) known.add(taskId);
      return;
    }
    const claims = new Set([taskId]);
    this.#claims.set(key, claims);
    try {
      for (const claim of claims) {
        await this.#outlet.tryTask(key, claim);
        await this.#clock.wait(fixed.callbackPauseMs);
      }
    } finally {
      this.#claims.delete(key);
    }
  }
}
