import { describe, expect, it } from 'vitest';
import { moveAtRest, restEvents } from '../../src/money/at-rest.ts';
import { statuses } from '../../src/money/item.ts';
import { IllegalMove, isLegal } from '../../src/money/transition.ts';
import { eventOf, events, itemIn, kindsOf, live, move } from './lives.ts';

const legal = statuses.flatMap((status) =>
  restEvents.flatMap((type) => (isLegal(status, type) ? [[status, type] as const] : [])),
);

describe('what happens to an item that no run holds', () => {
  it.for(legal)('%s: the next run starts all that "%s" would have started', ([status, type]) => {
    const { item, effects } = move(itemIn(status), events[type]);
    // An open task is asked about at every tick.
    if (item.status === 'open') expect(kindsOf(effects).filter((kind) => kind !== 'poll')).toEqual([]);
    if (effects.length === 0 || item.status === 'open') return;
    // A question put off is asked at once instead.
    const next = new Set(kindsOf(move(item, events['run-started']).effects));
    expect(kindsOf(effects).filter((kind) => !next.has(kind) && kind !== 'poll-later')).toEqual([]);
    expect(next).toContain('poll');
  });

  it('happens one after the other', () => {
    const found = [
      eventOf('frame-saved', { ordinal: 1 }),
      events['file-damaged'],
      eventOf('file-damaged', { kind: 'frame', ordinal: 1 }),
    ] as const;
    const before = itemIn('completed');
    expect(moveAtRest(before, ...found)).toEqual(live(before, ...found));
    expect(moveAtRest(before)).toBe(before);
  });

  it('is refused where it must not happen', () => {
    expect(() => moveAtRest(itemIn('open'), events['not-created'])).toThrow(IllegalMove);
  });
});
