/** What the runner holds in memory: only items it is busy with, never the pending million. */

import type { Item } from '../core/item.ts';
import type { PreparedRequest } from '../journey/submit-task.ts';

/** An item the run is busy with. */
export interface Entry {
  /** As the checkpoint holds it. */
  item: Item;
  /** Effects on their way, by name: one of each kind and file at a time. */
  readonly busy: Set<string>;
  /** Events that have come and are not settled yet. */
  unsettledCount: number;
  /** When this run took the item up (epoch ms). */
  readonly watchedSince: number;
  /** Polls in a row that brought no answer. */
  silentPolls: number;
  /** The creation that is about to leave; let go when it has. */
  request: PreparedRequest | null;
}

export function createEntry(item: Item, now: number): Entry {
  return { item, busy: new Set(), unsettledCount: 0, watchedSince: now, silentPolls: 0, request: null };
}

/** True while the runner must keep the item: the service works for it, its files are not here, an effect runs or has just ended. */
export function isHeld(entry: Entry): boolean {
  return entry.busy.size > 0 || entry.unsettledCount > 0 || isActive(entry.item);
}

function isActive(item: Item): boolean {
  return item.status === 'submitting' || item.status === 'open' || item.status === 'downloading';
}

/** True when the tick asks for this item: its task is open, or it waits for a link that no effect is fetching. */
export function isPolled(entry: Entry): boolean {
  if (entry.busy.has('poll')) return false;
  return entry.item.status === 'open' || (entry.item.status === 'downloading' && entry.busy.size === 0);
}
