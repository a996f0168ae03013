/**
 * Turns callbacks into polls. Anyone who knows a row's address may call it at any rate, so each row is polled by one
 * request at a time, with a minimum pause in between.
 */

import { fixed } from '../../money/policy.ts';
import type { Clock } from '../../ports.ts';
import type { Entry } from '../entry.ts';

/** What callbacks request from the runner. */
export interface CallbackOutlet {
  /** Polls an item that may be polled now. */
  poll(entry: Entry): void;
  /** Checks whether an uncertain item has this task, and if so reports it. */
  tryTask(key: number, taskId: string): Promise<void>;
  /** A callback could not be followed: it is only a hint, and the polls continue. */
  logLost(error: unknown): void;
}

export class CallbackPolls {
  readonly #clock: Clock;
  readonly #outlet: CallbackOutlet;
  readonly #askedAt = new WeakMap<Entry, number>();
  /** Items whose next poll is scheduled; further callbacks about them add nothing. */
  readonly #waiting = new WeakSet<Entry>();
  /** Task ids named for an item, tried one after the other. */
  readonly #namedTasks = new Map<number, Set<string>>();

  /** Task ids named for items whose creation is unanswered; used if no answer comes. */
  readonly #kept = new Map<number, Set<string>>();

  constructor(clock: Clock, outlet: CallbackOutlet) {
    this.#clock = clock;
    this.#outlet = outlet;
  }

  /**
   * Polls the item now, or as soon as its last poll is answered and old enough. The last callback is never lost: an
   * answer already in flight may be older than the callback.
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
    this.#outlet.poll(entry);
  }

  /** A callback arrives while the creation of its item is in flight. */
  keepNamedTask(key: number, taskId: string | null): void {
    if (taskId === null) return;
    const kept = this.#kept.get(key) ?? new Set();
    if (kept.size < fixed.callbackTasks) this.#kept.set(key, kept.add(taskId));
  }

  /** The creation of this item has ended. */
  release(key: number, isUncertain: boolean): void {
    const kept = this.#kept.get(key) ?? [];
    this.#kept.delete(key);
    if (!isUncertain) return;
    for (const taskId of kept)
      this.noteNamedTask(key, taskId).catch((error: unknown) => this.#outlet.logLost(error));
  }

  /** A callback names the task of an uncertain item. Only a few at a time are considered. */
  async noteNamedTask(key: number, taskId: string): Promise<void> {
    const known = this.#namedTasks.get(key);
    if (known !== undefined) {
      if (known.size < fixed.callbackTasks) known.add(taskId);
      return;
    }
    const named = new Set([taskId]);
    this.#namedTasks.set(key, named);
    try {
      for (const namedId of named) {
        await this.#outlet.tryTask(key, namedId);
        await this.#clock.wait(fixed.callbackPauseMs);
      }
    } finally {
      this.#namedTasks.delete(key);
    }
  }
}
