/** Loads the unfinished items of earlier runs at the start of a run. */

import type { Item, ItemEvent } from '../money/item.ts';
import { fixed, type Policy } from '../money/policy.ts';
import type { Clock } from '../ports.ts';
import type { Checkpoint } from '../stores/port/checkpoint.ts';
import type { Entries } from './entries.ts';
import type { Entry } from './entry.ts';

/** Items loaded between two commits. */
const pageItems = 500;

/** Rows without a price polled in one run: where there are more, the service names none. */
const unpricedAtOnce = 1_000;

/** Lost rows polled at one tick. */
const lostAtOnce = 1_000;

export interface RecoveryOptions {
  readonly policy: Policy;
  /** False for a run that only collects what is paid for. */
  readonly submits: boolean;
}

/** What recovery needs from the runner. */
export interface RecoveryOutlet {
  /** Polls the open tasks. */
  sweep(): void;
  post(entry: Entry, event: ItemEvent): void;
  poll(entry: Entry): void;
  /** Polls a completed row at some more ticks if its points may come late. */
  askPrice(entry: Entry): void;
  /** Commits the posted events once this many wait. */
  commitAt(count: number): Promise<void>;
  /** True where this process looks after the item. */
  owns(key: number): boolean;
  isStopping(): boolean;
}

export class Recovery {
  readonly #checkpoint: Checkpoint;
  readonly #clock: Clock;
  readonly #options: RecoveryOptions;
  readonly #entries: Entries;
  readonly #outlet: RecoveryOutlet;

  constructor(
    { checkpoint, clock }: { readonly checkpoint: Checkpoint; readonly clock: Clock },
    options: RecoveryOptions,
    entries: Entries,
    outlet: RecoveryOutlet,
  ) {
    this.#options = options;
    this.#checkpoint = checkpoint;
    this.#clock = clock;
    this.#entries = entries;
    this.#outlet = outlet;
  }

  /** Loads all unfinished items and, in a run that submits nothing, those without points. */
  async recover(): Promise<void> {
    const at = this.#clock.now();
    const met = new Set<number>();
    for await (const item of this.#checkpoint.items(['open'])) met.add(this.#entries.take(item).item.key);
    // First, because the service takes longest to answer.
    this.#outlet.sweep();
    for await (const item of this.#checkpoint.items(['submitting', 'downloading', 'lost', 'undelivered'])) {
      // An item that changes its status meanwhile would appear again under the new one.
      if (met.has(item.key)) continue;
      met.add(item.key);
      await this.#restart(item, at);
    }
    await this.askPrices();
  }

  /** Takes an item of a shared run that another process left or changed. A creation in flight is that process's own. */
  async take(item: Item): Promise<void> {
    if (item.status === 'open') this.#entries.take(item);
    else if (item.status !== 'submitting') await this.#restart(item, this.#clock.now());
  }

  async #restart(item: Item, at: number): Promise<void> {
    const entry = this.#entries.take(item);
    if (item.status === 'lost') this.#entries.lost.add(entry);
    this.#outlet.askPrice(entry);
    this.#outlet.post(entry, { type: 'run-started', at });
    await this.#outlet.commitAt(pageItems);
  }

  /**
   * Polls the rows without points: all of them in a run that submits nothing; under a points cap those that have no price yet, and
   * those at 0 that ended lately, because their process died before the price came, and they reserve what they may still cost.
   * There the ticks ask: one answer is no price.
   */
  async askPrices(): Promise<void> {
    const { submits, policy } = this.#options;
    if (policy.maxPoints === null) {
      if (!submits) await this.#poll(this.#checkpoint.itemsWithoutPoints(), Number.POSITIVE_INFINITY);
      return;
    }
    const since = this.#clock.now() - fixed.priceSettleMs;
    let unpriced = 0;
    for await (const item of this.#checkpoint.itemsWithoutPoints()) {
      const isAsked = item.points === null ? ++unpriced <= unpricedAtOnce : (item.endedAt ?? 0) > since;
      if (isAsked && !this.#entries.has(item.key) && this.#outlet.owns(item.key))
        this.#outlet.askPrice(this.#entries.take(item));
    }
  }

  /** Polls lost tasks: the service may know them again, for example after a failover. */
  async askLost(): Promise<void> {
    await this.#poll(this.#checkpoint.items(['lost']), lostAtOnce);
  }

  async #poll(items: AsyncIterable<Item>, most: number): Promise<void> {
    let count = 0;
    for await (const item of items) {
      if (this.#outlet.isStopping() || ++count > most) return;
      if (!this.#outlet.owns(item.key)) continue;
      if (!this.#entries.has(item.key)) this.#outlet.poll(this.#entries.take(item));
    }
  }
}
