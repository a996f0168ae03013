/** Lives of saved items: every event is decided by the machine and committed, as a run does it. */

import type { ItemEvent } from '../../src/money/event.ts';
import type { Item } from '../../src/money/item.ts';
import { defaultPolicy } from '../../src/money/policy.ts';
import { transition } from '../../src/money/transition.ts';
import type { Checkpoint } from '../../src/stores/port/checkpoint.ts';
import { eventOf, events } from '../money/lives.ts';

/** The item with this id as it is saved. */
export async function itemNamed(checkpoint: Checkpoint, id: string): Promise<Item> {
  const [item] = await checkpoint.itemsWithIds([id]);
  if (item === undefined) throw new Error(`there is no row ${id}`);
  return item;
}

/** Lets the row with this id live through these events, one commit each, and gives what became of it. */
export async function liveOn(
  checkpoint: Checkpoint,
  id: string,
  ...story: readonly ItemEvent[]
): Promise<Item> {
  let item = await itemNamed(checkpoint, id);
  for (const event of story) {
    const after = transition(item, event, defaultPolicy).item;
    await checkpoint.commit([{ before: item, after }]);
    item = after;
  }
  return item;
}

/** From pending to open, with this task. */
export function accepted(taskId: string): readonly ItemEvent[] {
  return [
    eventOf('claimed', { token: `token of ${taskId}`, quality: null }),
    eventOf('creation-accepted', { taskId }),
  ];
}

/** From pending to completed, with this task and a video. */
export function completed(taskId: string): readonly ItemEvent[] {
  return [...accepted(taskId), eventOf('task-completed', { frames: [] }), events['video-saved']];
}
