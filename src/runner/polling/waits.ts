/** Waits of items, by the clock's timers, which no clock change moves, and without occupying a slot. */

import type { Clock } from '../../ports.ts';
import type { Entry } from '../entry.ts';

export class Waits {
  readonly #clock: Clock;
  readonly #cuts = new Map<Entry, Map<string, AbortController>>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** True after this time (ms); false when cut, or when a wait of this name is already in progress. */
  async pass(entry: Entry, name: string, ms: number): Promise<boolean> {
    const waits = this.#cuts.get(entry) ?? new Map<string, AbortController>();
    if (waits.has(name)) return false;
    const cut = new AbortController();
    this.#cuts.set(entry, waits.set(name, cut));
    await this.#clock.wait(ms, cut.signal);
    waits.delete(name);
    if (waits.size === 0) this.#cuts.delete(entry);
    return !cut.signal.aborted;
  }

  /** Ends the waits of this item. */
  cut(entry: Entry): void {
    // An explicit reason: by default the signal creates an error with a stack each time.
    for (const wait of this.#cuts.get(entry)?.values() ?? []) wait.abort('cut');
  }

  cutAll(): void {
    for (const entry of [...this.#cuts.keys()]) this.cut(entry);
  }
}
