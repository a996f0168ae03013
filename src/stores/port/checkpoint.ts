/** The rows of a run, for those that work on them: what is decided is saved here before anything follows from it. */

import type { AttemptNow } from '../../money/answers/late-answers.ts';
import type { CreationEvent } from '../../money/event.ts';
import type { Item, Quality } from '../../money/item.ts';
import type { PaidRows } from '../../money/paid-rows.ts';
import type { Source } from '../../money/question.ts';
import type { OrderedFinal } from '../../money/review/final.ts';
import type { Ledger } from '../../money/summary.ts';
import type { UncertainPlace } from '../../money/tick.ts';
import type { AttemptTask } from '../../ports.ts';
import type { Decision } from './decisions.ts';
import type { ReportRow } from './reading.ts';

/** The saved state of all items. */
export interface Checkpoint {
  /**
   * One durable transaction for all changes. Throws `StaleItemError` and writes none when a status, token or version
   * differs from `before`, when a change names a task that belongs to another attempt, or when it claims a row that has
   * left the input. Throws `NoRoomError` when
   * claims among the changes were decided before the run was steered otherwise; a shared store also when they find no room
   * in the run as a whole.
   */
  commit(changes: readonly Change[], extras?: CommitExtras): Promise<CommitEnd>;
  ledger(): Promise<Ledger>;
  /**
   * All items in these statuses, read in pages; `inFile` leaves out items whose row is no longer in the input, `until` those
   * that failed, were rejected or lost after this round.
   */
  items(statuses: readonly Item['status'][], scope?: 'all' | 'inFile', until?: number): AsyncIterable<Item>;
  /**
   * Up to `limit` pending items in input order, those whose turn is not `first` after the others, by the time of their last
   * attempt. `slices`: only items of these slices, and none that another process is changing at this moment; null for all.
   */
  pendingItems(
    query: PaidRows & { readonly limit: number; readonly slices?: readonly number[] | null },
  ): Promise<Item[]>;
  /** Pending rows that the retry of this round ordered. */
  orderedCount(round: number): Promise<number>;
  /** True while any of these rows is pending. */
  hasPending(paid: PaidRows): Promise<boolean>;
  /**
   * Orders rows for the retry of this round: those that the changes make pending, and those with the keys in `waiting`, which
   * are pending. One durable transaction; throws as `commit` does.
   */
  order(
    round: number,
    changes: readonly Change[],
    waiting: readonly number[],
    extras?: OrderExtras,
  ): Promise<void>;
  /** Rejected items that are kept for a second chance (`Turn`), in input order; up to `limit`. */
  refusedAlike(limit?: number): Promise<readonly Item[]>;
  /** Completed items whose points are unknown or 0. */
  itemsWithoutPoints(): AsyncIterable<Item>;
  /** Until when the service asked to wait, now or in an earlier run, whatever became of the row (epoch ms); 0 for never. */
  pausedUntil(): Promise<number>;
  input(key: number): Promise<SentInput>;
  /** True when one of these texts is the content that the row was imported with, local pictures included. */
  isContent(key: number, contents: readonly string[]): Promise<boolean>;
  itemWithKey(key: number): Promise<Item | null>;
  /** The items with these keys, in any order; unknown keys are ignored. */
  itemsWithKeys(keys: readonly number[]): Promise<Item[]>;
  /** The items with these ids; unknown ids are ignored. */
  itemsWithIds(ids: readonly string[], scope?: 'all' | 'inFile'): Promise<Item[]>;
  /** The item that has this task, if any. */
  itemOfTask(taskId: string): Promise<Item | null>;
  /** How to read the files that the rows are from, in the order in which they were first imported. */
  sources(): Promise<readonly Source[]>;
  /** All rows for the reports: input order, then the gone ones. */
  reportRows(): AsyncIterable<ReportRow>;
  /** The same in pages as they are read: one by one, a million rows take seconds longer. */
  reportPages(): AsyncIterable<readonly ReportRow[]>;
  /** The rows with these keys that are in the reports. */
  reportRowsOf(keys: readonly number[]): Promise<readonly ReportRow[]>;
  /** When each uncertain item was submitted, which decides how long it keeps its slot. */
  uncertainPlaces(): Promise<UncertainPlace[]>;
  /** Items with a file that was saved at any time, in pages. */
  filedItems(): AsyncIterable<Item>;
  /** The edited text that a new attempt of this item would send; null where its text is unchanged. */
  editOf(key: number): Promise<RowEdit | null>;
  /** Makes items that left the file part of the run again, until the next import. */
  takeBack(keys: readonly number[]): Promise<void>;
  /** Null where the run has no such attempt. */
  attemptWithToken(token: string): Promise<AttemptNow | null>;
  /**
   * Gives a superseded attempt this task in place of `before`. False, and nothing is written, where it has another one by now
   * or the task belongs to another attempt: two attempts with one task would hide which was paid.
   */
  giveTask(task: AttemptTask, before: string | null): Promise<boolean>;
  /** Superseded attempts with a known task and unknown points; up to `limit`. */
  unpricedAttempts(limit: number): Promise<readonly UnpricedAttempt[]>;
  /** Saves how the task of a superseded attempt ended. */
  savePoints(task: AttemptTask, end: AttemptEnd): Promise<void>;
}

/** Two states of one item; `after` replaces `before` only while the checkpoint still has `before`. */
export interface Change {
  readonly before: Item;
  readonly after: Item;
}

/** The row as it was read, how to read it, and what is sent in place of what it says. */
export interface SentInput extends Pick<ReportRow, 'input' | 'source' | 'correction'> {
  /** Of a final; null where none was ordered: what the row says, or else the run. */
  readonly quality: Quality | null;
}

/** What goes with an order. */
export interface OrderExtras {
  readonly decisions?: readonly Decision[];
  /** By the key of the item. */
  readonly finals?: ReadonlyMap<number, OrderedFinal>;
}

/** How a commit ended. */
export interface CommitEnd {
  /**
   * False where the changes are saved, but the reply to the commit was lost and this was found out later: a claim among
   * them must not be sent any more.
   */
  readonly isAnswered: boolean;
}

/** What goes with a commit. */
export interface CommitExtras {
  /** The room that claims among the changes must find; null where there are none. A store that is not shared checks only its `steering`. */
  readonly room: ClaimRoom | null;
  /** What other processes of a shared store learn of it. */
  readonly facts: readonly CreationFact[];
  /** Whose decisions the changes are. */
  readonly decisions?: readonly Decision[];
}

/**
 * The limits of the run as a whole. A shared store checks them on its own counts as they would be after the commit, so
 * that no number of processes passes them together. `core/` chooses the claims by the same rules.
 */
export interface ClaimRoom {
  /** Rows that are submitting or open, and uncertain ones that still have a slot. */
  readonly held: number;
  /** The longest (ms) that an uncertain row keeps its slot, however long the longest task so far took. */
  readonly mostHoldMs: number;
  /** Rows that are submitting or open: as many as the service accepts at once; infinite where that is not known. */
  readonly open: number;
  /** Rows that are submitting. */
  readonly submitting: number;
  /** Rows submitted in this round; null for no limit. */
  readonly submitted: number | null;
  /** Spent and reserved points; null for no cap. */
  readonly points: number | null;
  /** Attempts that ended since then (epoch ms) at 0 points reserve them: the price may come late. */
  readonly pricedLateSince: number;
  /** Creations that the store must know: one that knows fewer is an older copy, and its pending rows may be paid for. */
  readonly creations: number;
  /** The token of the last creation that left this process: a store that does not know it is an older copy. Null for none. */
  readonly lastSent: string | null;
  /** The last fact this process considered: one that is not `accepted` and came later refuses the claims. */
  readonly lastFact: number;
  /** The round whose terms the claims obey; null where one process has the run. */
  readonly round: number | null;
  /** The last change of the steering that this process knows: a later one refuses the claims. Checked by every store. */
  readonly steering: number;
  /** Until when the answer to these claims can come (epoch ms). */
  readonly answerBy: number;
  /** The time of the decision (epoch ms). */
  readonly at: number;
}

/** How a creation or a task ended, for the circuit breakers of all processes. Times are epoch ms. */
export type CreationFact =
  | {
      readonly type: 'creation';
      readonly event: Exclude<CreationEvent, { readonly type: 'creation-not-sent' }>;
      /** The row's own names, ignored when two messages are compared. */
      readonly names: readonly string[];
      readonly startedAt: number;
      readonly at: number;
    }
  | { readonly type: 'lost'; readonly failure: string | null; readonly at: number };

/** The current input of a row that was sent with another text. */
export interface RowEdit {
  readonly quality: Quality | null;
  /** Why it cannot be sent; null when it can. */
  readonly failure: string | null;
}

/** The task of a superseded attempt whose price is not known. */
export interface UnpricedAttempt extends AttemptTask {
  /** When the service first said that the task had ended (epoch ms); null where it has not. */
  readonly endedAt: number | null;
}

/** How the task of an attempt ended. */
export interface AttemptEnd {
  readonly status: 'completed' | 'failed';
  /** Epoch ms. */
  readonly at: number;
  /** null where the service gave none. */
  readonly points: number | null;
}
