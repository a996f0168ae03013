/** What a run runs on, and what others see of it. */

import type { Said } from '../messages/message.ts';
import type { Item, Status } from '../money/item.ts';
import type { Policy } from '../money/policy.ts';
import type { EndingReason, Ledger } from '../money/summary.ts';
import type { UncertainSlots } from '../money/tick.ts';

/** Time. Nothing else reads a clock or sets a timer. */
export interface Clock {
  /** Epoch ms from the system clock, which can be set forward and back. */
  now(): number;
  /** Monotonic ms from an arbitrary start: never set. Time asleep counts only where the system counts it. */
  steady(): number;
  /** Resolves after `ms`, or as soon as the signal aborts; never rejects. */
  wait(ms: number, signal?: AbortSignal): Promise<void>;
}

/** The log of a run: one line per fact. The implementation redacts secrets. */
export interface Log {
  info(fields: Readonly<Record<string, unknown>>, message: string): void;
  warn(fields: Readonly<Record<string, unknown>>, message: string): void;
}

/** Receives the progress of a run. */
export interface Reporter {
  /** Worth a line. `row` is set where the line is about a row that ended badly. */
  note(said: Said, row?: Item): void;
  /** May cost points, or needs the user. */
  warn(said: Said): void;
  /** A change of an item, already on disk. */
  changed(before: Item, after: Item): void;
}

/**
 * Which rows of a shared run this process works on: slices that the engine hands out and takes back. Disposing it gives
 * all of them back.
 */
export interface Placement extends AsyncDisposable {
  /**
   * The slices of this process now (`sliceCount` in `stores/port/sharing.ts`). Empty as soon as the engine may have given them to another process:
   * read it again after every wait.
   */
  readonly slices: ReadonlySet<number>;
  /** Writes the reports and keeps house: one process of the run at a time. */
  readonly isKeeper: boolean;
  /** Calls `changed` after every change of the two. */
  onChange(changed: () => void): void;
}

/** A live view of a run: always current, so do not keep what it returns. */
export interface RunView {
  readonly ledger: Readonly<Ledger>;
  readonly policy: Policy;
  /** Tasks that may be open at once now. */
  readonly concurrency: number;
  /** Pending rows this run will submit, regardless of the budget. */
  readonly toSubmit: number;
  /** What keeps the run waiting; null while nothing does. */
  readonly obstacle: Obstacle | null;
  /** Items with an open task, in no particular order. */
  openItems(): Iterable<Item>;
  /** Rows that this process works on, by status. */
  ownRows(): Readonly<Partial<Record<Status, number>>>;
}

/** What keeps a run waiting. `until` and `since` are epoch ms. */
export type Obstacle =
  /** This run submits nothing more. */
  | { readonly why: 'closed'; readonly reason: EndingReason }
  /** The whole run is ending. */
  | { readonly why: 'stopping'; readonly reason: EndingReason }
  /** No creation leaves before `until`; `failure` is the reason as reported, if any. */
  | { readonly why: 'pause'; readonly until: number; readonly failure: string | null }
  /** The user paused submitting; `until` is null for a pause without an end. */
  | { readonly why: 'paused'; readonly until: number | null }
  /** Before anything is sent, a free request probes the service. */
  | { readonly why: 'probe' }
  /** The service accepts no more tasks at once. */
  | { readonly why: 'service'; readonly open: number }
  /** Rows whose creation may have made a task occupy most slots, and none is free; `id` is the one that is free first. */
  | ({ readonly why: 'uncertain' } & UncertainSlots)
  /** No status request before `until`. */
  | { readonly why: 'poll-pause'; readonly until: number }
  /** Everything else is done; callbacks may still settle uncertain rows. */
  | { readonly why: 'callbacks'; readonly until: number }
  /** Nothing else is in progress: tasks were completed without a video that can be had, and are asked about again. */
  | { readonly why: 'videos'; readonly count: number; readonly until: number }
  /** The budget has no room until open tasks have ended. */
  | { readonly why: 'budget' }
  /** Downloads are slower than the service makes tasks. */
  | { readonly why: 'downloads' }
  /** Status requests get no answer. */
  | { readonly why: 'silence'; readonly since: number }
  /** A worker of a shared run waits for more work. */
  | { readonly why: 'idle' };

/** The workers of a shared run, as one of them sees them. */
export interface CrewView {
  /** Those that reported lately, this one included. */
  readonly workers: number;
  /** Slices of this worker. */
  readonly slices: number;
  /** Since when the store does not answer (epoch ms); null while it does. */
  readonly awaySince: number | null;
}
