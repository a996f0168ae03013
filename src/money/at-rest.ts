/**
 * What happens to an item between runs: a command of the user, or a fact found on disk. The effects of such a move are
 * dropped, because no run can carry them out; the next run derives them again from the status (`run-started`, and the
 * tick for open tasks). A test checks that each of these moves has no other effects.
 */

import type { ItemEvent } from './event.ts';
import type { Item } from './item.ts';
import { defaultPolicy } from './policy.ts';
import { transition } from './transition.ts';

/** Events that may happen to an item between runs. */
export const restEvents = [
  'run-started',
  'retry-ordered',
  'order-ended',
  'question-changed',
  'creation-accepted',
  'task-adopted',
  'not-created',
  'video-saved',
  'frame-saved',
  'file-damaged',
] as const satisfies readonly ItemEvent['type'][];

export type RestEvent = Extract<ItemEvent, { type: (typeof restEvents)[number] }>;

/** Applies the events in order. Throws `IllegalMove`. */
export function moveAtRest(item: Item, ...events: readonly RestEvent[]): Item {
  return events.reduce((now, event) => transition(now, event, defaultPolicy).item, item);
}
