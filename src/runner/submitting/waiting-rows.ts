/**
 * The pending rows that may be submitted, a page at a time.
 *
 * Its law: they go in the order of the store, those that `--only` names in the order of the file. A row of which nobody
 * knows yet why it was barred is passed over; where only such rows wait, the creation on its way is waited for.
 */

import type { Item } from '../../money/item.ts';
import type { Ledger } from '../../money/summary.ts';
import type { Checkpoint } from '../../stores/port/checkpoint.ts';
import type { RunContext, RunnerOptions } from '../context.ts';
import type { CreationBreaker } from './creation-breaker.ts';
import { NamedRows } from './named-rows.ts';
import { submittedBy } from './room.ts';

export class WaitingRows {
  readonly #options: RunnerOptions;
  readonly #checkpoint: Checkpoint;
  readonly #breaker: CreationBreaker;
  #hasAny = true;
  /** Null where all rows may be submitted. */
  #named: NamedRows | null = null;
  /** Waiting rows of the retry whose rows alone are submitted; null where there is none. */
  #ordered: number | null = null;
  /** The rows in question where no other waits: the end of a creation on its way says more. */
  #onlyInQuestion: CreationBreaker['state']['inQuestion'] | null = null;

  constructor({ options, ports }: RunContext, breaker: CreationBreaker) {
    this.#options = options;
    this.#checkpoint = ports.checkpoint;
    this.#breaker = breaker;
  }

  get hasAny(): boolean {
    return this.#hasAny;
  }

  /** Without it, one turn would follow the other until the creation on its way is answered. */
  get waitsForVerdict(): boolean {
    return this.#onlyInQuestion === this.#breaker.state.inQuestion;
  }

  count({ counts }: Ledger): number {
    return this.#named?.waitingCount ?? this.#ordered ?? counts.pending;
  }

  /** Loads what earlier runs left. */
  async recover(): Promise<void> {
    const { only } = this.#options;
    if (only !== null) this.#named = new NamedRows(only, await this.#checkpoint.itemsWithIds(only, 'inFile'));
    await this.look();
  }

  /** Looks again which rows wait: other processes may have changed that. */
  async look(): Promise<void> {
    const { only, retry = null } = this.#options;
    this.#hasAny = await this.#checkpoint.hasPending({ only, retry });
    if (retry !== null) this.#ordered = await this.#checkpoint.orderedCount(retry);
    this.#onlyInQuestion = null;
  }

  /** The next rows, without those in question. */
  async next(limit: number): Promise<readonly Item[]> {
    const inQuestion = new Set(this.#breaker.state.inQuestion.map(({ id }) => id));
    const found = await this.#pending(limit + inQuestion.size);
    return found.filter(({ id }) => !inQuestion.has(id)).slice(0, limit);
  }

  async #pending(limit: number): Promise<readonly Item[]> {
    const { shared = null, retry = null } = this.#options;
    const slices = shared === null ? null : [...shared.placement.slices];
    if (this.#named === null) return this.#checkpoint.pendingItems({ only: null, retry, limit, slices });
    const found: Item[] = [];
    for (const only of this.#named.pages()) {
      found.push(...(await this.#checkpoint.pendingItems({ limit: limit - found.length, only, slices })));
      if (found.length === limit) break;
    }
    return found;
  }

  /** No row was found but those in question. */
  async noteNone(ledger: Ledger): Promise<void> {
    this.#noteLastRows(ledger);
    await this.look();
    const { inQuestion } = this.#breaker.state;
    // Processes of a shared run look again in a while.
    if (this.#options.shared == null && ledger.counts.submitting > 0 && inQuestion.length > 0)
      this.#onlyInQuestion = inQuestion;
  }

  /** Where only rows wait that were barred, no other can show why. */
  #noteLastRows({ counts }: Ledger): void {
    const { inQuestion } = this.#breaker.state;
    // Those of other processes may be in their slices.
    const isLast = this.#options.shared == null || inQuestion.length >= counts.pending;
    if (isLast && counts.submitting === 0) this.#breaker.noteLastRows();
  }

  /** An item changed. */
  note(before: Item, after: Item): void {
    this.#onlyInQuestion = null;
    if (before.status === after.status) return;
    if (after.status === 'pending') this.#hasAny = true;
    if (this.#ordered !== null) this.#ordered -= submittedBy(before, after);
    this.#named?.note(after);
  }
}
