/** Which pending rows become creations, and when: slots, budget, limit, pauses and breakers, in one place. */

import { type CreationEnd, type Gate, openGate, passAnswer, passCreation } from '../core/gate.ts';
import type { Item } from '../core/item.ts';
import type { Policy } from '../core/policy.ts';
import { badStatuses, type EndingReason, type Ledger } from '../core/summary.ts';
import {
  decideAffordable,
  decideRoom,
  heldByUncertain,
  isBudgetNear,
  isReserving,
  longestDownloadLine,
  pauseEnd,
  uncertainHoldMs,
} from '../core/tick.ts';
import type { Checkpoint, Hold, Reporter } from '../ports.ts';
import { NamedRows } from './named-rows.ts';

export interface SubmissionOptions {
  readonly policy: Policy;
  /** False for `collect`: nothing that costs is sent. */
  readonly submits: boolean;
  /** Ids of the only rows to submit, or null for all. */
  readonly only: readonly string[] | null;
}

export class Submissions {
  readonly #options: SubmissionOptions;
  readonly #checkpoint: Checkpoint;
  readonly #reporter: Reporter;
  #gate: Gate = openGate;
  /** Why submitting ended for this run, whatever else happens. */
  #closed: Extract<EndingReason, 'points-cap' | 'halt'> | null = null;
  /** Earliest time a pending row may go; 0 = look now, null = there is none. */
  #pendingAt: number | null = 0;
  #uncertainAts: readonly number[] = [];
  #submittedRows = 0;
  /** Keys of the items that were completed in this run and wait for their files. */
  readonly #fetching = new Set<number>();
  /** Null where all rows may go. */
  #named: NamedRows | null = null;
  #badCount = 0;
  #hasWarnedOfBudget = false;

  constructor(
    options: SubmissionOptions,
    ports: { readonly checkpoint: Checkpoint; readonly reporter: Reporter },
  ) {
    this.#options = options;
    this.#checkpoint = ports.checkpoint;
    this.#reporter = ports.reporter;
  }

  /** Looks at what earlier runs left: uncertain creations that may still hold a slot, and rows that wait. */
  async recover(now: number): Promise<void> {
    this.#uncertainAts = await this.#checkpoint.uncertainSince(0);
    const { only } = this.#options;
    if (only !== null) this.#named = new NamedRows(only, await this.#checkpoint.itemsWithIds(only, 'inFile'));
    await this.#lookAhead(now);
  }

  /** The pending items that may be submitted now; none while there is no room. */
  async choose(ledger: Ledger, now: number): Promise<readonly Item[]> {
    if (!this.#isOpen() || now < this.#nextAt(now)) return [];
    const room = decideRoom(this.#options.policy, ledger, this.#slots(ledger, now));
    if (room === 0) return [];
    const candidates = await this.#candidates(room, now);
    if (candidates.length === 0) await this.#lookAhead(now);
    const affordable = decideAffordable(this.#options.policy, ledger, candidates);
    if (affordable === 0 && candidates.length > 0) this.#waitForBudget(ledger, now);
    return candidates.slice(0, affordable);
  }

  async #candidates(limit: number, now: number): Promise<readonly Item[]> {
    if (this.#named === null) return this.#checkpoint.pendingItems({ limit, now, only: null });
    const found: Item[] = [];
    for (const only of this.#named.pages()) {
      found.push(...(await this.#checkpoint.pendingItems({ limit: limit - found.length, now, only })));
      if (found.length === limit) break;
    }
    return found;
  }

  #slots(ledger: Ledger, now: number) {
    const uncertain = heldByUncertain(this.#uncertainAts, ledger, now).length;
    return { uncertain, submittedRows: this.#submittedRows, fetching: this.#fetching.size };
  }

  /** When the next row may go: now, when the shortest pause is over, or never because none is left. */
  async #lookAhead(now: number): Promise<void> {
    const at = await this.#checkpoint.nextPendingAt(this.#options.only);
    this.#pendingAt = at === null ? null : Math.max(pauseEnd(at, now), now);
  }

  /** When the gate and the rows let the next creation go (epoch ms); infinite when only an event can help. */
  #nextAt(now: number): number {
    if (this.#pendingAt === null) return Number.POSITIVE_INFINITY;
    return Math.max(pauseEnd(this.#gate.notBefore, now), pauseEnd(this.#pendingAt, now));
  }

  /** Nothing fits the budget. Open tasks may turn out cheaper than reserved; without any, the cap is reached. */
  #waitForBudget(ledger: Ledger, now: number): void {
    const { submitting, open } = ledger.counts;
    if (submitting + open > 0) {
      this.#pendingAt = Number.POSITIVE_INFINITY;
      return;
    }
    this.#closed = 'points-cap';
    this.#pendingAt = now;
    const waiting = isReserving(ledger) ? ', uncertain rows hold the rest' : '';
    this.#reporter.warn(
      `the points cap is reached (${ledger.spent} spent${waiting}); nothing more is submitted`,
    );
  }

  /** An item went from one status to another. */
  note(before: Item, after: Item, ledger: Ledger): void {
    if (before.status === after.status) return;
    if (after.status === 'pending') {
      this.#pendingAt = Math.min(this.#pendingAt ?? Number.POSITIVE_INFINITY, after.notBefore);
      if (before.status === 'submitting') this.#submittedRows -= 1;
    }
    if (after.status === 'submitting') this.#submittedRows += 1;
    if (before.status === 'open' && after.status === 'downloading') this.#fetching.add(after.key);
    else this.#fetching.delete(after.key);
    this.#named?.note(after);
    if (after.status === 'uncertain' && after.submittedAt !== null) {
      this.#uncertainAts = [...this.#uncertainAts, after.submittedAt];
    }
    if (before.status === 'uncertain') this.#freeSlot(before);
    if (this.#pendingAt === Number.POSITIVE_INFINITY) this.#pendingAt = 0;
    this.#noteBad(before, after);
    this.#warnOfBudget(ledger);
  }

  /** Creations that left together share their time: only one of them is settled. */
  #freeSlot({ submittedAt }: Item): void {
    const settled = submittedAt === null ? -1 : this.#uncertainAts.indexOf(submittedAt);
    this.#uncertainAts = this.#uncertainAts.filter((_, i) => i !== settled);
  }

  #noteBad(before: Item, after: Item): void {
    if (!badStatuses.has(after.status) || badStatuses.has(before.status)) return;
    this.#badCount += 1;
    const { haltAfter } = this.#options.policy;
    if (haltAfter === null || this.#badCount < haltAfter || this.#closed !== null || !this.#options.submits)
      return;
    this.#closed = 'halt';
    this.#reporter.warn(`${this.#badCount} rows ended badly; nothing more is submitted (--halt)`);
  }

  #warnOfBudget(ledger: Ledger): void {
    if (this.#hasWarnedOfBudget || !isBudgetNear(this.#options.policy, ledger)) return;
    this.#hasWarnedOfBudget = true;
    const { maxPoints } = this.#options.policy;
    this.#reporter.warn(`spent and reserved points have reached 80 % of the cap of ${maxPoints}`);
  }

  noteCreation(end: CreationEnd): void {
    const wasStopped = this.#gate.stopped;
    this.#gate = passCreation(this.#gate, end);
    if (this.#gate.stopped !== null && wasStopped === null) {
      this.#reporter.warn(
        `${stoppedBecause[this.#gate.stopped]}; nothing more is submitted: ${this.#gate.failure}`,
      );
    }
  }

  noteAnswer(): void {
    const wasStopped = this.#gate.stopped;
    this.#gate = passAnswer(this.#gate);
    if (wasStopped !== null && this.#gate.stopped === null)
      this.#reporter.note('the service answers again; submitting goes on');
  }

  #isOpen(): boolean {
    return this.#options.submits && this.#closed === null && this.#gate.stopped === null;
  }

  /** True when no row will be submitted any more unless something else happens first. */
  isExhausted(ledger: Ledger): boolean {
    const { policy } = this.#options;
    return (
      !this.#isOpen() ||
      this.#pendingAt === null ||
      this.#isLimitReached(policy) ||
      ledger.counts.pending === 0
    );
  }

  #isLimitReached(policy: Policy): boolean {
    return policy.limit !== null && this.#submittedRows >= policy.limit;
  }

  /** Pending rows that are going to be submitted, as far as anything but the budget goes. */
  toSubmit(ledger: Ledger): number {
    if (!this.#isOpen()) return 0;
    const { policy } = this.#options;
    const pending = this.#named?.waitingCount ?? ledger.counts.pending;
    const allowed = policy.limit === null ? pending : policy.limit - this.#submittedRows;
    return Math.max(0, Math.min(pending, allowed));
  }

  /** What keeps pending rows from being submitted now, other than a lack of slots; null for nothing. */
  hold(ledger: Ledger, now: number): Hold | null {
    if (!this.#isOpen() || (this.#isLimitReached(this.#options.policy) && ledger.counts.pending > 0))
      return { why: 'closed', reason: this.ending(ledger).reason };
    if (this.toSubmit(ledger) === 0) return null;
    if (this.#pendingAt === Number.POSITIVE_INFINITY) return { why: 'budget' };
    if (this.#fetching.size >= longestDownloadLine(this.#options.policy)) return { why: 'downloads' };
    const until = this.#nextAt(now);
    return until > now && Number.isFinite(until) ? { why: 'pause', until } : null;
  }

  /** When to look again without any event (epoch ms); infinite when only an event can help. */
  wakeAt(ledger: Ledger, now: number): number {
    if (this.isExhausted(ledger)) return Number.POSITIVE_INFINITY;
    const at = this.#nextAt(now);
    if (decideRoom(this.#options.policy, ledger, this.#slots(ledger, now)) > 0) return at;
    const held = heldByUncertain(this.#uncertainAts, ledger, now);
    return Math.max(at, Math.min(...held) + uncertainHoldMs(ledger));
  }

  /** Why rows were left, once the run is over; `done` when that was not for a reason of this file. */
  ending(ledger: Ledger): { readonly reason: EndingReason; readonly failure: string | null } {
    if (!this.#options.submits) return { reason: 'collected', failure: null };
    if (this.#closed !== null) return { reason: this.#closed, failure: null };
    if (this.#gate.stopped !== null) return { reason: this.#gate.stopped, failure: this.#gate.failure };
    const isLimited = this.#isLimitReached(this.#options.policy) && ledger.counts.pending > 0;
    return { reason: isLimited ? 'limit' : 'done', failure: null };
  }
}

const stoppedBecause = {
  'uncertain-breaker': 'several creations in a row were sent and their outcome is not known',
  'refusal-breaker': 'the service refused several creations in a row for the same reason',
  unreachable: 'the service cannot be reached',
} as const;
