/** What a run finds at its start: the items of earlier runs that still need something. */

import type { Item, ItemEvent } from '../core/item.ts';
import type { Clock } from '../ports.ts';
import type { Checkpoint } from '../store.ts';
import type { Entries } from './entries.ts';
import type { Entry } from './entry.ts';

/** Items that are taken between two commits. */
const pageItems = 500;

/** Lost rows that are asked about at one tick. */
const lostAtOnce = 1_000;

/** What recovery needs of the runner. */
export interface RecoveryOutlet {
  /** Open tasks are asked about at once: the service has the longest way. */
  sweep(): void;
  post(entry: Entry, event: ItemEvent): void;
  poll(entry: Entry): void;
  /** A completed row whose points may come late is asked about at some more ticks. */
  askPrice(entry: Entry): void;
  /** Saves what was posted once this many events wait. */
  commitAt(count: number): Promise<void>;
  isStopping(): boolean;
}

export class Recovery {
  readonly #checkpoint: Checkpoint;
  readonly #clock: Clock;
  readonly #entries: Entries;
  readonly #outlet: RecoveryOutlet;

  constructor(
    { checkpoint, clock }: { readonly checkpoint: Checkpoint; readonly clock: Clock },
    entries: Entries,
    outlet: RecoveryOutlet,
  ) {
    this.#checkpoint = checkpoint;
    this.#clock = clock;
    this.#entries = entries;
    this.#outlet = outlet;
  }

  /** Takes all items that are under way, and, where nothing is submitted, those whose points are missing. */
  async recover(submits: boolean): Promise<void> {
    const at = this.#clock.now();
    const met = new Set<number>();
    for await (const item of this.#checkpoint.items(['open'])) met.add(this.#entries.take(item).item.key);
    this.#outlet.sweep();
    for await (const item of this.#checkpoint.items(['submitting', 'downloading', 'lost', 'undelivered'])) {
      // An item that changes its status meanwhile would be met again under the new one.
      if (met.has(item.key)) continue;
      met.add(item.key);
      const entry = this.#entries.take(item);
      if (item.status === 'lost') this.#entries.lost.add(entry);
      this.#outlet.askPrice(entry);
      this.#outlet.post(entry, { type: 'run-started', at });
      await this.#outlet.commitAt(pageItems);
    }
    if (!submits) await this.#poll(this.#checkpoint.itemsWithoutPoints(), Number.POSITIVE_INFINITY);
  }

  /** Lost tasks may be known again: the service had forgotten them, or one half of it knew nothing of the other. */
  async askLost(): Promise<void> {
    await this.#poll(this.#checkpoint.items(['lost']), lostAtOnce);
  }

  async #poll(items: AsyncIterable<Item>, most: number): Promise<void> {
    let count = 0;
    for await (const item of items) {
      if (this.#outlet.isStopping() || ++count > most) return;
      if (!this.#entries.has(item.key)) this.#outlet.poll(this.#entries.take(item));
    }
  }
}
