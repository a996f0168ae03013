/**
 * What happens to an item that no run holds: a user's order, or a fact found between two runs. The effects of such a move are
 * orders to a run, and there is none: they are dropped, and the next run gives them again by the status it finds
 * (`run-started`, and the tick for open tasks). A move that starts anything else is no move at rest; a test holds each of these to that.
 */

import type { Item, ItemEvent } from './item.ts';
import { defaultPolicy } from './policy.ts';
import { transition } from './transition.ts';

/** Events that may happen to an item while no run holds it. */
export const restEvents = [
  'run-started',
  'retry-ordered',
  'question-changed',
  'creation-accepted',
  'task-adopted',
  'not-created',
  'video-saved',
  'frame-saved',
  'file-damaged',
] as const satisfies readonly ItemEvent['type'][];

export type RestEvent = Extract<ItemEvent, { type: (typeof restEvents)[number] }>;

/** The item after these events, one after the other. Throws `IllegalMove`. */
export function moveAtRest(item: Item, ...events: readonly RestEvent[]): Item {
  return events.reduce((now, event) => transition(now, event, defaultPolicy).item, item);
}
