/** The items that a run holds in memory: those it works on, never the pending million. */

import type { Item } from '../core/item.ts';
import type { Clock } from '../ports.ts';
import { createEntry, type Entry } from './entry.ts';

export class Entries {
  readonly #clock: Clock;
  readonly #byKey = new Map<number, Entry>();
  /** Lost tasks that are asked about once more: they may turn out to be open and take slots, so rows wait for the answers. */
  readonly lost = new Set<Entry>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Holds an item from now on. */
  take(item: Item): Entry {
    const entry = createEntry(item, this.#clock.now(), this.#clock.steady());
    this.#byKey.set(item.key, entry);
    return entry;
  }

  /** Lets an entry go. Its item may have been taken again meanwhile, as another entry. */
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

  /** Stops at the first hit: with many open tasks it is near. */
  some(test: (entry: Entry) => boolean): boolean {
    for (const entry of this.#byKey.values()) if (test(entry)) return true;
    return false;
  }
}
