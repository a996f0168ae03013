/** Loads the unfinished items of earlier runs at the start of a run. */

import type { Item } from '../money/item.ts';
import { fixed } from '../money/policy.ts';
import type { RunContext } from './context.ts';
import type { Effects } from './effects.ts';
import type { Submissions } from './submitting/submissions.ts';

/** Items loaded between two commits. */
const pageItems = 500;

/** Rows without a price polled in one run: where there are more, the service names none. */
const unpricedAtOnce = 1_000;

/** Lost rows polled at one tick. */
const lostAtOnce = 1_000;

export class Recovery {
  readonly #run: RunContext;
  readonly #effects: Effects;
  readonly #submissions: Submissions;

  constructor(run: RunContext, effects: Effects, submissions: Submissions) {
    this.#run = run;
    this.#effects = effects;
    this.#submissions = submissions;
  }

  /** Loads all unfinished items and, in a run that submits nothing, those without points. */
  async recover(): Promise<void> {
    const at = this.#run.ports.clock.now();
    const met = new Set<number>();
    for await (const item of this.#run.ports.checkpoint.items(['open']))
      met.add(this.#run.entries.add(item).item.key);
    // First, because the service takes longest to answer.
    this.#run.sweep();
    for await (const item of this.#run.ports.checkpoint.items([
      'submitting',
      'downloading',
      'lost',
      'undelivered',
    ])) {
      // An item that changes its status meanwhile would appear again under the new one.
      if (met.has(item.key)) continue;
      met.add(item.key);
      await this.#restart(item, at);
    }
    await this.askPrices();
  }

  /** Resumes an item of a shared run that another process left or changed. A creation in flight is that process's own. */
  async resume(item: Item): Promise<void> {
    if (item.status === 'open') this.#run.entries.add(item);
    else if (item.status !== 'submitting') await this.#restart(item, this.#run.ports.clock.now());
  }

  async #restart(item: Item, at: number): Promise<void> {
    const entry = this.#run.entries.add(item);
    if (item.status === 'lost') this.#run.entries.lost.add(entry);
    this.#submissions.budget.askPrice(entry);
    this.#run.post(entry, { type: 'run-started', at });
    await this.#run.commitAt(pageItems);
  }

  /**
   * Polls the rows without points: all of them in a run that submits nothing; under a points cap those that have no price yet, and
   * those at 0 that ended lately, because their process died before the price came, and they reserve what they may still cost.
   * There the ticks ask: one answer is no price.
   */
  async askPrices(): Promise<void> {
    const { submits, policy } = this.#run.options;
    if (policy.maxPoints === null) {
      if (!submits)
        await this.#poll(this.#run.ports.checkpoint.itemsWithoutPoints(), Number.POSITIVE_INFINITY);
      return;
    }
    const since = this.#run.ports.clock.now() - fixed.priceSettleMs;
    let unpriced = 0;
    for await (const item of this.#run.ports.checkpoint.itemsWithoutPoints()) {
      const isAsked = item.points === null ? ++unpriced <= unpricedAtOnce : (item.endedAt ?? 0) > since;
      if (isAsked && !this.#run.entries.has(item.key) && this.#run.owns(item.key))
        this.#submissions.budget.askPrice(this.#run.entries.add(item));
    }
  }

  /** Polls lost tasks: the service may know them again, for example after a failover. */
  async askLost(): Promise<void> {
    await this.#poll(this.#run.ports.checkpoint.items(['lost']), lostAtOnce);
  }

  async #poll(items: AsyncIterable<Item>, most: number): Promise<void> {
    let count = 0;
    for await (const item of items) {
      if (this.#run.isStopping() || ++count > most) return;
      if (!this.#run.owns(item.key)) continue;
      if (!this.#run.entries.has(item.key))
        this.#effects.start(this.#run.entries.add(item), { type: 'poll' });
    }
  }
}
