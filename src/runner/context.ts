/**
 * What every part of the loop knows of the run, and where it reports what happened. The runner is the context of its parts: a part
 * receives it, and the other parts that it calls, and nothing else.
 */

import type { PlacesLeft } from '../errors.ts';
import type { ItemEvent } from '../money/event.ts';
import type { Item } from '../money/item.ts';
import type { PaidRows } from '../money/paid-rows.ts';
import type { Policy } from '../money/policy.ts';
import type { Subject } from '../money/subject.ts';
import type { EndingReason, Ledger } from '../money/summary.ts';
import type {
  Clock,
  FileHost,
  IdJournal,
  ImageFiles,
  Log,
  OutputTree,
  Placement,
  Reporter,
  TaskService,
} from '../ports.ts';
import type { Change, Checkpoint, CommitExtras } from '../stores/port/checkpoint.ts';
import type { Settings } from '../stores/port/settings.ts';
import type { SharedState, Sharing } from '../stores/port/sharing.ts';
import type { Redact } from '../text/redact.ts';
import type { Entries } from './entries.ts';
import type { Entry } from './entry.ts';
import type { ServiceHealth } from './service-health.ts';
import type { SteeringSource } from './steering.ts';

/** The outside world, as the loop reaches it. */
export interface RunnerPorts {
  readonly clock: Clock;
  readonly service: TaskService;
  readonly host: FileHost;
  readonly tree: OutputTree;
  readonly log: Log;
  readonly reporter: Reporter;
  readonly checkpoint: Checkpoint;
  readonly settings: Settings;
  readonly images: ImageFiles;
  /** Removes secrets from failures before they are saved or shown. */
  readonly redact: Redact;
  /** Null in a run that submits nothing. */
  readonly journal: IdJournal | null;
  /** Throws `DiskError` where the place of the run is not what was opened; absent where nothing can be looked at. */
  checkPlace?(): void;
}

/** `only` and `retry` say which of the waiting rows are submitted. */
export interface RunnerOptions extends PaidRows {
  /** One object for all parts of the run: what is tuned changes in it. */
  readonly policy: Policy;
  /** False for `collect`: nothing that costs points is sent. */
  readonly submits: boolean;
  /** A new unguessable token for an attempt. */
  newToken(): string;
  /** Callback address for a row without its own; null when the run does not listen. */
  notifyUrl(item: Item): string | null;
  /** True when the run listens for callbacks. */
  readonly listens: boolean;
  /** True where the address of the service is the one of the run's earlier tasks, if it has any. */
  readonly isSameService?: boolean;
  /** Null where this process alone has the run. */
  readonly shared?: SharedRunOptions | null;
  /** Where the user changes the run while it goes; null where that is not possible. */
  readonly steering?: SteeringSource | null;
}

/** A run that several workers share. */
export interface SharedRunOptions {
  readonly sharing: Sharing;
  readonly placement: Placement;
  /** True for a worker that waits for more work when there is none. */
  readonly stays: boolean;
  /** The round whose options this runner has; it ends when another one begins. */
  readonly round: number;
  /** What processes know of the store's past. */
  readonly memory: StoreMemory;
}

/**
 * Remembers the creations that left this machine, and how many the store knew. A database that was restored from a backup,
 * or a standby that lagged behind, knows fewer: rows that were paid for since are pending in it.
 */
export interface StoreMemory {
  /** Compares, and puts back what the store has forgotten; `items` are those of this process. */
  check(state: SharedState, items: Iterable<Item>): Promise<MemoryEnd>;
  /** These items' creations are about to leave. Throws `DiskError` where that cannot be kept: then they must not. */
  leave(items: readonly Item[]): void;
  /** A creation was answered; null where it surely made no task. */
  answer(token: string, taskId: string | null): void;
  /** Creations that the store must know, as of the last check. */
  readonly least: number;
  /** The last one that left this machine (its token); null before the first. */
  readonly lastSent: string | null;
}

/**
 * `whole`: the store knows all that is known, and rows may be submitted. `settling`: not yet, look again. A failure: the user
 * has to settle it.
 */
export type MemoryEnd = 'whole' | 'settling' | { readonly failure: string };

/** An event that is to be saved, and its item. */
export interface QueuedEvent {
  readonly entry: Entry;
  readonly event: ItemEvent;
  /** The attempt that the event is about. Null for a claim, which is dropped where its item has changed. */
  readonly about: Subject | null;
}

export interface RunContext {
  readonly ports: RunnerPorts;
  readonly options: RunnerOptions;
  /** The items in memory. */
  readonly entries: Entries;
  /** The counts and points of this run, always current. */
  readonly ledger: Readonly<Ledger>;
  /** What answers, and missing ones, say about the service. */
  readonly health: ServiceHealth;

  /** `about`: the attempt of the item as the request or the wait began that now ends as this event; by default its current one. */
  post(entry: Entry, event: ItemEvent, about?: Subject): void;
  /** Ends the run in an orderly way; the first reason counts. */
  stop(reason: EndingReason, failure?: string | null): void;
  isStopping(): boolean;
  /** A failure that nothing can be done about: the run ends, and rejects with it. */
  fail(error: unknown): void;
  /** The loop turns once more. */
  wake(): void;
  /** True where this process looks after the item. */
  owns(key: number): boolean;

  /** An effect ended; the entry may be released. */
  release(entry: Entry): void;
  letGo(entry: Entry): void;

  /** Polls the open tasks, if it is time. */
  sweep(): void;
  /** Commits the posted events once this many wait. */
  commitAt(count: number): Promise<void>;
  /** Points or rows changed that the ledger in memory does not include; only within a turn. */
  countAgain(): Promise<void>;
  /** The same from outside of a turn: the next one counts. */
  countSoon(): void;
  /** The numbers of the run as a whole, as several workers share it. */
  replaceLedger(ledger: Ledger): void;

  /** What goes with a commit to a shared store; undefined where there is nothing to check. */
  extrasOf(
    claims: readonly QueuedEvent[],
    events: readonly QueuedEvent[],
    changes: readonly Change[],
  ): CommitExtras | undefined;
  /** Other processes have used up the room of the claims. */
  noteRoomTaken(left: PlacesLeft | null): void;
  /** An illegal event, or one that could not be saved: the run fails. */
  keepUnsaved(queue: readonly QueuedEvent[], error: unknown): void;
}
