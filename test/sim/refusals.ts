/**
 * What must hold of refusals: those of one row or of one task concern no other, an outage at the start costs nothing, patience
 * has an end, and what many rows were refused with alike is no row's own fault.
 */

import type { CreationEvent } from '../../src/money/event.ts';
import type { Item } from '../../src/money/item.ts';
import { fixed, type Policy } from '../../src/money/policy.ts';
import { type EndingReason, isKeyRefusal } from '../../src/money/summary.ts';
import type { Change } from '../../src/stores/port/checkpoint.ts';
import { BrokenPromise } from './oracle.ts';
import type { SimProcess, World } from './sim-process.ts';

const minute = 60_000;

/** A creation that a gateway refused as if the key or the account were. */
interface Barred {
  readonly status: number;
  readonly at: number;
}

/** What the service has refused so far. Times are those of the world. */
export class Refused {
  /** When the key or the account was refused last, and when something other than the service answered. */
  forAllAt = Number.NEGATIVE_INFINITY;
  foreignAt = Number.NEGATIVE_INFINITY;
  readonly barred: Barred[] = [];
}

/** Rows in the file that wait, at the end of a process that had begun at `since`. */
interface Left {
  readonly since: number;
  /** The process had all waiting rows to try. */
  readonly hadAll: boolean;
  readonly pending: number;
  readonly paid: number;
}

/** A run ends for what concerns all rows only where that is so. */
export function checkStop(
  { forAllAt, foreignAt, barred }: Refused,
  reason: EndingReason,
  { since, hadAll, pending, paid }: Left,
): void {
  if ((reason === 'foreign-answer' || reason === 'wrong-service') && foreignAt < since)
    throw new BrokenPromise(`the run ends with ${reason}, and nobody but the service has answered`);
  if (!isKeyRefusal(reason)) return;
  if (reason !== 'key-refused' && paid > 0)
    throw new BrokenPromise(`the run ends with ${reason}, and ${paid} rows that are paid for are left`);
  if (forAllAt >= since) return;
  const byStatus = Map.groupBy(
    barred.filter(({ at }) => at >= since),
    ({ status }) => status,
  );
  const counts = [...byStatus.values()].map((alike) => alike.length);
  const isLast = counts.length > 0 && (!hadAll || pending <= counts.reduce((sum, count) => sum + count, 0));
  if (!isLast && counts.every((count) => count < 2))
    throw new BrokenPromise(`the run ends with ${reason}, and ${pending} rows wait that nobody refused`);
}

/** Longer than a creation takes, in a process that is stopped meanwhile (ms). */
const slackMs = 15 * minute;

/** ...and for what is paid for to be brought home. */
const homeMs = 30 * minute;

/** Follows what one process hears of its creations; times are those of its steady clock (ms). */
export class Patience {
  readonly #now: () => number;
  /** Since when all are refused for now, when a task last left its place, and when the last one was brought home. */
  #refusedSince: number | null = null;
  #freedAt = Number.NEGATIVE_INFINITY;
  #homeAt = Number.NEGATIVE_INFINITY;
  /** Keys of the rows that were refused in a row with one message, and those of them that stopped submitting. */
  #inRow: number[] = [];
  #message: string | null = null;
  readonly alike = new Set<number>();

  constructor(now: () => number) {
    this.#now = now;
  }

  /** Something was saved. */
  note({ before, after }: Change): void {
    // A gateway's page is a refusal of the row once the free question was answered.
    const isPage = before.status === 'pending' && after.status === 'rejected';
    if (before.status === 'submitting' || isPage) this.#count(after);
    if (before.status === 'open' && after.status !== 'open') this.#freedAt = this.#now();
    if (before.status === 'downloading') this.#homeAt = this.#now();
  }

  /** A creation was answered. */
  hear(event: CreationEvent, { outageTimeoutMs }: Policy): void {
    // Nobody refused what may have been accepted.
    if (event.type === 'creation-accepted' || event.type === 'creation-uncertain') this.#refusedSince = null;
    const isPassing = event.type === 'creation-refused' && event.passing;
    if (isPassing || (event.type === 'creation-barred' && event.bar !== 'gateway')) this.#inRow = [];
    if (isPassing) {
      this.#refusedSince ??= this.#now();
      if (this.#waitedMs() > outageTimeoutMs + slackMs)
        throw new BrokenPromise(
          `all creations have been refused for ${Math.round(this.#waitedMs() / minute)} minutes, and more are sent`,
        );
    }
  }

  /** The creation of this item has ended. One that never reached the service says nothing of it, and neither does a gateway. */
  #count({ key, status, failure }: Item): void {
    if (status === 'pending') return;
    const message = status === 'rejected' ? failure : null;
    this.#inRow = message === null ? [] : message === this.#message ? [...this.#inRow, key] : [key];
    this.#message = message;
    if (this.#inRow.length === fixed.refusalBreaker) for (const each of this.#inRow) this.alike.add(each);
  }

  /** The process has ended by itself. */
  checkEnd({ outageTimeoutMs }: Policy): void {
    const waitedMs = Math.min(this.#waitedMs(), this.#now() - this.#homeAt);
    if (this.#refusedSince !== null && waitedMs > outageTimeoutMs + homeMs)
      throw new BrokenPromise(
        `a run that is refused everything ends after ${Math.round(waitedMs / minute)} minutes`,
      );
  }

  #waitedMs(): number {
    return this.#now() - Math.max(this.#refusedSince ?? 0, this.#freedAt);
  }
}

/**
 * Where no other row waits, or may be sent (`isAlone`), none can show that the account is refused: what was accepted before
 * tells.
 */
export function noteLastRow(
  { service }: World,
  { ledger }: Pick<SimProcess, 'ledger'>,
  changes: readonly Change[],
  isAlone = false,
): void {
  const isLast = isAlone || (ledger?.counts.pending ?? 0) <= 1;
  const isRejected = changes.some(
    ({ before, after }) => before.status === 'pending' && after.status === 'rejected',
  );
  if (isLast && isRejected) service.leaveNoOther();
}
