/** What a move is: the item after an event, and the effects to start once it is on disk. */

import type { Effect, ItemEvent, Transition } from '../event.ts';
import type { Item } from '../item.ts';
import type { Policy } from '../policy.ts';

type EventOf<T extends ItemEvent['type']> = Extract<ItemEvent, { type: T }>;
export type Move<T extends ItemEvent['type']> = (item: Item, event: EventOf<T>, policy: Policy) => Transition;
export type Moves = { readonly [T in ItemEvent['type']]?: Move<T> };

export const stay = (item: Item, effects: readonly Effect[] = []): Transition => ({ item, effects });
export const become = (item: Item, change: Partial<Item>, effects: readonly Effect[] = []): Transition => ({
  item: { ...item, ...change },
  effects,
});

/** The answer came too late to matter. */
export const ignoreLate = (item: Item): Transition => stay(item);
