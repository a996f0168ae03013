/** Watches whether paid videos can be fetched, and reports when nothing more is submitted because they cannot. */

import { message } from '../../messages/message.ts';
import { hasVideo } from '../../money/artifacts.ts';
import {
  type DeliveryBreaker,
  deliveryBreakerAt,
  passCounts,
  passDelivered,
  passUndelivered,
  roomForDeliveries,
} from '../../money/breakers/delivery-breaker.ts';
import type { ItemEvent } from '../../money/event.ts';
import type { Item } from '../../money/item.ts';
import { withoutVideo } from '../../money/moves/task-moves.ts';
import type { Policy } from '../../money/policy.ts';
import { createLedger, type Ledger } from '../../money/summary.ts';
import type { Reporter } from '../../ports.ts';

/** Tries at a video, each with a new link, after which it counts as one that cannot be fetched: the first link may be old. */
const triesThatCount = 2;

export class Deliveries {
  readonly #reporter: Reporter;
  readonly #policy: Policy;
  /** False where nothing is submitted: a stop is then not reported. */
  readonly #submits: boolean;
  #state: DeliveryBreaker;
  /** Keys of the rows that were counted: tried again, the same video shows nothing new. */
  readonly #counted = new Set<number>();
  /** Why a video could not be fetched, the latest one. */
  #failure = '';
  /** Rows of the whole run that have all files, as last seen. */
  #completed = 0;

  constructor(
    reporter: Reporter,
    { policy, submits }: { readonly policy: Policy; readonly submits: boolean },
  ) {
    this.#reporter = reporter;
    this.#policy = policy;
    this.#submits = submits;
    this.#state = deliveryBreakerAt(createLedger().counts, policy);
  }

  /** The run begins with what earlier ones left. */
  begin({ counts }: Ledger): void {
    this.#state = deliveryBreakerAt(counts, this.#policy);
    this.#completed = counts.completed;
    if (!this.#state.isDoubtful || !this.#submits || counts.pending === 0) return;
    this.#reporter.note(message('videos.wait', { count: counts.downloading + counts.undelivered }));
  }

  /** Why nothing more is submitted; null while something is. */
  get stopped(): string | null {
    return this.#state.stopped;
  }

  /** True while rows go one at a time. */
  get isDoubtful(): boolean {
    return this.#state.isDoubtful;
  }

  /** How many rows may be submitted, as far as deliveries say. */
  room({ counts }: Ledger): number {
    return roomForDeliveries(this.#state, counts, this.#policy);
  }

  /** Something happened to an item; why a video cannot be fetched is not saved while it is tried again. */
  noteEvent(event: ItemEvent): void {
    if (event.type === 'video-not-had') this.#failure = event.failure;
    if (event.type === 'task-completed' && event.videoUrl === null) this.#failure = withoutVideo(event.text);
  }

  /** An item changed; the ledger counts the change already. */
  note(before: Item, after: Item, ledger: Ledger): void {
    if (hasVideo(after) && !hasVideo(before)) {
      this.#delivered(ledger);
      return;
    }
    const { key, status, renewals } = after;
    const isGivenUp = status === 'undelivered' && before.status !== 'undelivered';
    const isTried = status === 'downloading' && !hasVideo(after) && renewals >= triesThatCount;
    const isNew = (isTried || isGivenUp) && !this.#counted.has(key);
    if (isNew || isGivenUp) this.#state = passUndelivered(this.#state, { key, isNew, isTriedAgain: isTried });
    if (isNew) this.#counted.add(key);
    this.#look(ledger, after.failure ?? this.#failure, false);
  }

  /** What all processes of the run did. */
  noteShared(ledger: Ledger): void {
    if (ledger.counts.completed > this.#completed) this.#delivered(ledger);
    else this.#look(ledger, this.#failure || 'other workers of this run could not fetch them', true);
    this.#completed = ledger.counts.completed;
  }

  #look({ counts }: Ledger, failure: string, isShared: boolean): void {
    const before = this.#state;
    this.#state = passCounts(before, counts, { policy: this.#policy, failure, isShared });
    if (before.stopped !== null || this.#state.stopped === null || !this.#submits) return;
    this.#reporter.warn(message('videos.none', { failure: this.#state.stopped }));
  }

  #delivered({ counts }: Ledger): void {
    const wasStopped = this.#state.stopped !== null;
    this.#state = passDelivered(counts);
    if (wasStopped && this.#submits) this.#reporter.note(message('videos.again'));
  }
}
