/** Time that items let pass: by the clock's timers, which no jump of the time moves, and in nobody's line. */

import type { Clock } from '../ports.ts';
import type { Entry } from './entry.ts';

export class Waits {
  readonly #clock: Clock;
  readonly #cuts = new Map<Entry, Map<string, AbortController>>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** True after this time (ms); false when it was cut, or when a wait of this name goes on already. */
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

  /** Ends what this item waits for. */
  cut(entry: Entry): void {
    // A reason of our own: the signal would make an error, with its stack, each time.
    for (const wait of this.#cuts.get(entry)?.values() ?? []) wait.abort('cut');
  }

  cutAll(): void {
    for (const entry of [...this.#cuts.keys()]) this.cut(entry);
  }
}
