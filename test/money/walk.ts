/** Every item the machine can bring about, found by asking the machine itself: each one meets every event. */

import type { Effect, ItemEvent } from '../../src/money/event.ts';
import type { Item } from '../../src/money/item.ts';
import { defaultPolicy } from '../../src/money/policy.ts';
import { isLegal } from '../../src/money/transition.ts';
import { at, eventOf, events, itemIn, move, silentEnding } from './lives.ts';

/** How a row may stand when it is read. */
export const starts: readonly Item[] = [itemIn('pending'), itemIn('invalid')];

/** One event of each type, and those whose particulars lead elsewhere. */
const trials: readonly ItemEvent[] = [
  ...Object.values(events),
  eventOf('creation-refused', { passing: true }),
  eventOf('refusal-confirmed', { token: 't2' }),
  eventOf('task-progressed', { at: at + defaultPolicy.taskTimeoutMs + 1 }),
  eventOf('task-completed', { frames: [] }),
  eventOf('task-completed', { videoUrl: null, ending: silentEnding }),
  eventOf('video-not-had', { newLink: false }),
  eventOf('frame-not-had', { isFinal: true }),
  eventOf('frames-overdue', { isMoving: true }),
  eventOf('question-changed', { failure: 'no question' }),
  eventOf('file-damaged', { kind: 'frame', ordinal: 1 }),
];

/** One move of the walk. */
export interface Step {
  readonly before: Item;
  readonly event: ItemEvent;
  readonly after: Item;
  readonly effects: readonly Effect[];
}

/** What decides about moves; counts of attempts only grow and would make the walk endless. */
function signature(item: Item): string {
  const { status, requestHash, misses, renewals, artifacts } = item;
  // It decides only while no task is there.
  const turn = status === 'pending' || status === 'rejected' ? item.turn : '';
  const files = artifacts.map((artifact) => [artifact.kind, artifact.state, artifact.tries]);
  return JSON.stringify([status, requestHash === null, misses, renewals, files, turn]);
}

/** Every legal move of every item that events can lead to. */
export function* walkMoves(): Generator<Step> {
  const open = [...starts];
  const seen = new Set(open.map(signature));
  for (let before = open.pop(); before !== undefined; before = open.pop()) {
    for (const event of trials) {
      if (!isLegal(before.status, event.type)) continue;
      const { item: after, effects } = move(before, event);
      yield { before, event, after, effects };
      // What its last attempt had made of the row is met where that attempt ends.
      if (event.type === 'order-ended' || seen.has(signature(after))) continue;
      seen.add(signature(after));
      open.push(after);
    }
  }
}
