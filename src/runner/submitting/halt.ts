/** Ends submitting once so many rows ended badly (`--halt`). */

import { message } from '../../messages/message.ts';
import type { Item } from '../../money/item.ts';
import { hasMark } from '../../money/statuses.ts';
import type { RunContext } from '../context.ts';
import type { Budget } from './budget.ts';

export class Halt {
  readonly #run: RunContext;
  readonly #budget: Budget;
  #badCount = 0;
  #isReached = false;

  constructor(run: RunContext, budget: Budget) {
    this.#run = run;
    this.#budget = budget;
  }

  get isReached(): boolean {
    return this.#isReached;
  }

  /** An item changed its status. */
  note(before: Item, after: Item): void {
    if (!hasMark(after.status, 'bad') || hasMark(before.status, 'bad')) return;
    this.#badCount += 1;
    this.#look();
  }

  /** So many rows ended badly in all processes of the run. */
  noteShared(badRows: number): void {
    this.#badCount = badRows;
    this.#look();
  }

  #look(): void {
    const { options, ports } = this.#run;
    const { haltAfter } = options.policy;
    const isClosed = this.#isReached || this.#budget.end !== null || !options.submits;
    if (haltAfter === null || this.#badCount < haltAfter || isClosed) return;
    this.#isReached = true;
    ports.reporter.warn(message('submitting.halt', { count: this.#badCount }));
  }
}
