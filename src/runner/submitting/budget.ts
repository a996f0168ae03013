/**
 * The points cap of a run.
 *
 * Its law: what is spent, what open tasks and prices asked for may still cost, and what a row may cost stay within the cap.
 * While nothing fits, submitting waits as long as something may make room, and ends where nothing can.
 */

import { type Message, message } from '../../messages/message.ts';
import type { Item } from '../../money/item.ts';
import {
  copyLedger,
  type EndingReason,
  effectiveQuality,
  expectedPoints,
  type Ledger,
  mayBePricedLate,
  noteLargest,
  reservedPoints,
} from '../../money/summary.ts';
import { budgetEnd, decideAffordable, nearBudget, unpricedQualities } from '../../money/tick.ts';
import type { Reporter } from '../../ports.ts';
import type { RunContext, RunnerOptions } from '../context.ts';
import { askPrice, type Entry } from '../entry.ts';

type BudgetEnd = Extract<EndingReason, 'points-cap' | 'unpriced'>;

export class Budget {
  readonly #options: RunnerOptions;
  readonly #reporter: Reporter;
  /** Items with their video whose points are requested again, by key. */
  readonly #asked = new Map<number, Entry>();
  /** There is no room until something changes. */
  #waits = false;
  #end: BudgetEnd | null = null;
  #hasWarned = false;

  constructor({ options, ports }: RunContext) {
    this.#options = options;
    this.#reporter = ports.reporter;
  }

  get waits(): boolean {
    return this.#waits;
  }

  /** Why submitting has ended; null while it has not. */
  get end(): BudgetEnd | null {
    return this.#end;
  }

  /** How many of the first candidates fit. */
  affordable(ledger: Ledger, candidates: readonly Item[]): number {
    return decideAffordable(this.#options.policy, this.#withAsked(ledger), candidates);
  }

  /** Not one fits. */
  wait(ledger: Ledger): void {
    this.#end = budgetEnd(ledger, this.#asked.size);
    if (this.#end === null) this.#waits = true;
    else this.#reporter.warn(endMessage(this.#end, ledger));
  }

  /** A price or an item changed, which may make room or show that there is none. */
  noteNews(): void {
    this.#waits = false;
  }

  /** The cap, or anything else of the policy, has another number. */
  noteTuned(): void {
    this.#waits = false;
    this.#hasWarned = false;
    this.#end = null;
  }

  /** Polls a completed row at some more ticks if its points may come late. */
  askPrice(entry: Entry): void {
    if (entry.item.points === null) entry.isPriced = false;
    const isAsked = mayBePricedLate(entry.item) && !entry.isPriced;
    if (isAsked && entry.item.status === 'completed') askPrice(entry, this.#options.submits);
    else entry.price = null;
    if (isAsked) this.#asked.set(entry.item.key, entry);
    else this.forget(entry);
  }

  /** The points of this item are requested no longer. */
  forget(entry: Entry): void {
    if (this.#asked.delete(entry.item.key)) this.#waits = false;
  }

  warnIfNear(ledger: Ledger): void {
    const near = this.#hasWarned ? null : nearBudget(this.#options.policy, ledger);
    if (near === null) return;
    this.#hasWarned = true;
    this.#reporter.warn(message('budget.near', near));
  }

  /**
   * Reserves points that are being requested: a 0 may not be final. Unknown points are reserved anyway. What is said of them, if
   * it is more than was ever charged, all open tasks may cost.
   */
  #withAsked(ledger: Ledger): Ledger {
    if (this.#asked.size === 0 || this.#options.policy.maxPoints === null) return ledger;
    const next = copyLedger(ledger);
    for (const { item, price } of this.#asked.values()) {
      const asked = effectiveQuality(item.quality);
      if (expectedPoints(next, asked) !== null) noteLargest(next, asked, price?.said ?? 0);
      if (item.points !== null) next.reserving.set(asked, (next.reserving.get(asked) ?? 0) + 1);
    }
    return next;
  }
}

/** What uses up the budget, or why it cannot be guaranteed. */
function endMessage(end: BudgetEnd, ledger: Ledger): Message {
  if (end === 'unpriced')
    return message('budget.unpriced', { qualities: unpricedQualities(ledger).join(' and ') });
  const reserved = reservedPoints(ledger) ?? 0;
  const { spent: points } = ledger;
  return reserved === 0
    ? message('budget.reached', { points })
    : message('budget.reserved', { points, reserved });
}
