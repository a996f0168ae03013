/** Draws the states of an item by asking the machine itself. */

import { type Status, statuses } from '../../src/money/item.ts';
import { starts, walkMoves } from './walk.ts';

/** Event types by the statuses they lead from and to. */
function findMoves(): ReadonlyMap<string, ReadonlySet<string>> {
  const moves = new Map<string, Set<string>>();
  for (const { before, event, after } of walkMoves()) {
    if (after.status === before.status) continue;
    const arrow = arrowOf(before.status, after.status);
    moves.set(arrow, (moves.get(arrow) ?? new Set()).add(event.type));
  }
  return moves;
}

/** Types of the events that lead from one status to the other. */
export function eventsBetween(from: Status, to: Status): readonly string[] {
  return [...(findMoves().get(arrowOf(from, to)) ?? [])].sort();
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
