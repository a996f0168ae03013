/** Carries out what became known of refused rows: the circuit breaker judges while events are being saved, and this waits until they are. */

import type { Verdict } from '../../money/breakers/refused-rows.ts';
import type { ItemEvent } from '../../money/event.ts';
import { secondChances } from '../../money/paid-rows.ts';
import type { RunContext } from '../context.ts';

export class RefusedRows {
  readonly #run: RunContext;
  #verdicts: Verdict[] = [];

  constructor(run: RunContext) {
    this.#run = run;
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
    const { entries, options, ports } = this.#run;
    const { checkpoint, clock } = ports;
    const at = clock.now();
    if (verdict?.type === 'row') {
      const { token, failure } = verdict;
      await this.#post([verdict.id], { type: 'refusal-confirmed', at, failure, token });
    }
    if (verdict?.type === 'alike') await this.#post(verdict.ids, { type: 'refused-alike', at });
    if (verdict?.type !== 'again' && verdict?.type !== 'try') return;
    const wanted = secondChances(await checkpoint.refusedAlike(), options);
    const items =
      verdict.type === 'try' ? wanted.slice(0, 1) : wanted.filter(({ key }) => this.#run.owns(key));
    for (const item of items) {
      const entry = entries.get(item.key) ?? entries.add(item);
      this.#run.post(entry, { type: 'second-chance-given', at });
    }
  }

  async #post(ids: readonly string[], event: ItemEvent): Promise<void> {
    const { entries, ports } = this.#run;
    for (const item of await ports.checkpoint.itemsWithIds(ids, 'inFile'))
      this.#run.post(entries.get(item.key) ?? entries.add(item), event);
  }
}
