/** Carries out what became known of refused rows: the circuit breaker judges while events are being saved, and this waits until they are. */

import type { ItemEvent } from '../../money/item.ts';
import { type PaidRows, secondChances } from '../../money/paid-rows.ts';
import type { Verdict } from '../../money/refused-rows.ts';
import type { Clock } from '../../ports.ts';
import type { Checkpoint } from '../../stores/port/checkpoint.ts';
import type { Entries } from '../entries.ts';
import type { Entry } from '../entry.ts';

export interface RefusedRowsOutlet {
  post(entry: Entry, event: ItemEvent): void;
  /** True where this process looks after the item. */
  owns(key: number): boolean;
}

export class RefusedRows {
  readonly #ports: { readonly checkpoint: Checkpoint; readonly clock: Clock };
  readonly #entries: Entries;
  readonly #paid: PaidRows;
  readonly #outlet: RefusedRowsOutlet;
  #verdicts: Verdict[] = [];

  constructor(
    ports: { readonly checkpoint: Checkpoint; readonly clock: Clock },
    entries: Entries,
    paid: PaidRows,
    outlet: RefusedRowsOutlet,
  ) {
    this.#ports = ports;
    this.#entries = entries;
    this.#paid = paid;
    this.#outlet = outlet;
  }

  judge(verdicts: readonly Verdict[]): void {
    this.#verdicts.push(...verdicts);
  }

  /** True while a verdict waits. */
  get isDue(): boolean {
    return this.#verdicts.length > 0;
  }

  /** Posts the events of the next verdict; call it when all that came before is saved. */
  async carryOut(): Promise<void> {
    const verdict = this.#verdicts.shift();
    const { checkpoint, clock } = this.#ports;
    const at = clock.now();
    if (verdict?.type === 'row') {
      const { token, failure } = verdict;
      await this.#post([verdict.id], { type: 'refusal-confirmed', at, failure, token });
    }
    if (verdict?.type === 'alike') await this.#post(verdict.ids, { type: 'refused-alike', at });
    if (verdict?.type !== 'again' && verdict?.type !== 'try') return;
    const wanted = secondChances(await checkpoint.refusedAlike(), this.#paid);
    const items =
      verdict.type === 'try' ? wanted.slice(0, 1) : wanted.filter(({ key }) => this.#outlet.owns(key));
    for (const item of items) {
      const entry = this.#entries.get(item.key) ?? this.#entries.take(item);
      this.#outlet.post(entry, { type: 'second-chance-given', at });
    }
  }

  async #post(ids: readonly string[], event: ItemEvent): Promise<void> {
    for (const item of await this.#ports.checkpoint.itemsWithIds(ids, 'inFile'))
      this.#outlet.post(this.#entries.get(item.key) ?? this.#entries.take(item), event);
  }
}
