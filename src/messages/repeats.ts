/** Notes that come again and again: the first few are said, then how many more there were. */

import { inBoth, type Message, message, type Said } from './message.ts';

/** Notes of one kind that are each said in full. */
const saidInFull = 3;

/** How long (ms) further ones of a kind are counted before they are reported. */
export const countedMs = 600_000;

/** Whether rows are submitted, and what the user ordered, is said whenever it changes. */
const neverCounted = /^(steering\.|submitting\.(stopped|healed)$)/;

interface Kind {
  said: number;
  /** When the last one was said (epoch ms). */
  at: number;
  /** Not said since then. */
  left: number;
  last: Message;
}

export interface Repeats {
  /** What to say of this note now (epoch ms); null while it is only counted. */
  pass(said: Said, now: number): Said | null;
  /** What was counted and not reported. */
  rest(): readonly Message[];
}

export function createRepeats(): Repeats {
  const kinds = new Map<string, Kind>();

  function pass(said: Said, now: number): Said | null {
    if (typeof said === 'string' || neverCounted.test(said.id)) return said;
    const id = kindOf(said);
    const kind = kinds.get(id);
    if (kind === undefined) {
      kinds.set(id, { said: 1, at: now, left: 0, last: said });
      return said;
    }
    kind.last = said;
    if (kind.said >= saidInFull && now - kind.at < countedMs) {
      kind.left += 1;
      return null;
    }
    const more = kind.left;
    kind.said += 1;
    kind.at = now;
    kind.left = 0;
    return more === 0 ? said : withMore(said, more);
  }

  function rest(): readonly Message[] {
    return [...kinds.values()].flatMap(({ left, last }) => (left === 0 ? [] : [withMore(last, left - 1)]));
  }

  return { pass, rest };
}

/** Several sentences in one line are one kind with those of the same sentences. */
function kindOf({ id, values }: Message): string {
  return id === 'several' ? (values as readonly Message[]).map((one) => one.id).join(' ') : id;
}

function withMore(said: Message, count: number): Message {
  return count === 0 ? said : message('notes.more', { note: inBoth(said), count });
}
