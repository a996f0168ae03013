/** The items in memory: only those that the run works on, never a million pending ones. */

import type { Item } from '../money/item.ts';
import type { Clock } from '../ports.ts';
import { createEntry, type Entry } from './entry.ts';

export class Entries {
  readonly #clock: Clock;
  readonly #byKey = new Map<number, Entry>();
  /** Lost tasks polled at the start: they may be open, so pending rows wait for the answers. */
  readonly lost = new Set<Entry>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Creates the entry of an item. */
  add(item: Item): Entry {
    const entry = createEntry(item, this.#clock.now(), this.#clock.steady());
    this.#byKey.set(item.key, entry);
    return entry;
  }

  /** Drops an entry. Its item may have a newer entry by now, which stays. */
  drop(entry: Entry): void {
    const { key } = entry.item;
    entry.request = null;
    this.lost.delete(entry);
    if (this.#byKey.get(key) === entry) this.#byKey.delete(key);
  }

  get size(): number {
    return this.#byKey.size;
  }

  has(key: number): boolean {
    return this.#byKey.has(key);
  }

  get(key: number): Entry | undefined {
    return this.#byKey.get(key);
  }

  all(): MapIterator<Entry> {
    return this.#byKey.values();
  }

  /** Stops at the first match, which comes early with many open tasks. */
  some(test: (entry: Entry) => boolean): boolean {
    for (const entry of this.#byKey.values()) if (test(entry)) return true;
    return false;
  }
}
