/** Draws the states of an item by asking the machine itself: every item it can bring about meets every event. */

import { type Item, type ItemEvent, type Status, statuses } from '../../src/core/item.ts';
import { defaultPolicy } from '../../src/core/policy.ts';
import { isLegal, transition } from '../../src/core/transition.ts';
import { eventOf, events, itemIn, silentEnding } from './lives.ts';

/** How a row may stand when it is read. */
const starts: readonly Item[] = [itemIn('pending'), itemIn('invalid')];

/** One event of each type, and those whose particulars lead elsewhere. */
const trials: readonly ItemEvent[] = [
  ...Object.values(events),
  eventOf('creation-refused', { passing: true }),
  eventOf('task-completed', { frames: [] }),
  eventOf('task-completed', { videoUrl: null, ending: silentEnding }),
  eventOf('video-not-had', { newLink: false }),
  eventOf('question-changed', { failure: 'no question' }),
  eventOf('file-damaged', { kind: 'frame', ordinal: 1 }),
];

/** What decides about moves; counts of attempts only grow and would make the search endless. */
function signature(item: Item): string {
  const { status, tries, misses, renewals, artifacts } = item;
  const files = artifacts.map((artifact) => [artifact.kind, artifact.state, artifact.tries]);
  return JSON.stringify([status, tries, misses, renewals, files]);
}

/** Event types by the statuses they lead from and to, found by walking from the starts wherever events lead. */
function findMoves(): ReadonlyMap<string, ReadonlySet<string>> {
  const moves = new Map<string, Set<string>>();
  const open = [...starts];
  const seen = new Set(open.map(signature));
  for (let item = open.pop(); item !== undefined; item = open.pop()) {
    for (const event of trials) {
      if (!isLegal(item.status, event.type)) continue;
      const next = transition(item, event, defaultPolicy).item;
      if (next.status !== item.status) {
        const arrow = arrowOf(item.status, next.status);
        moves.set(arrow, (moves.get(arrow) ?? new Set()).add(event.type));
      }
      if (seen.has(signature(next))) continue;
      seen.add(signature(next));
      open.push(next);
    }
  }
  return moves;
}

function arrowOf(from: Status, to: Status): string {
  return `${from} --> ${to}`;
}

/** The diagram as Mermaid text, without a line break at the end. Events that leave the status as it is are not drawn. */
export function renderStateDiagram(): string {
  const moves = findMoves();
  const arrows = statuses.flatMap((from) =>
    statuses.flatMap((to) => {
      const types = moves.get(arrowOf(from, to));
      return types === undefined ? [] : [`${arrowOf(from, to)}: ${[...types].sort().join(', ')}`];
    }),
  );
  const entries = starts.map(({ status }) => `[*] --> ${status}`);
  return ['stateDiagram-v2', ...[...entries, ...arrows].map((line) => `  ${line}`)].join('\n');
}
