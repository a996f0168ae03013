/** What people decided about money, as it is saved with the run: who, when, by which command, and what. */

import type { DecisionKind } from '../../money/review/decision-kinds.ts';

export interface Decision {
  /** Epoch ms. */
  readonly at: number;
  /** Who typed the command, as the machine names its user; '' where it does not say. */
  readonly userName: string;
  readonly machine: string;
  /** As it was typed, without secrets, shortened. */
  readonly command: string;
  readonly kind: DecisionKind;
  /** The key of the item; null where it is about the run. */
  readonly item: number | null;
  /** What was decided, as JSON. */
  readonly detail: string;
}

/** A decision of the run, with the id of its row where it has one that is still known. */
export interface NotedDecision extends Decision {
  /** They are counted, in the order in which they were saved. */
  readonly number: number;
  readonly id: string | null;
}

/**
 * The decisions of a run. Those that change something at once are saved by what changes it, in its transaction; `note` saves
 * others, before what follows from them.
 */
export interface Decisions {
  /** Durable. Throws `UsageError` where the run is elsewhere or on its way there. */
  note(decisions: readonly Decision[]): Promise<void>;
  /** Oldest first, in pages; none of a run of an earlier version that kept none. */
  all(): AsyncIterable<readonly NotedDecision[]>;
}
