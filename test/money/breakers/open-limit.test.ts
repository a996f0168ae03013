import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  concurrencyNow,
  isBeyondAccepted,
  limitAfterAccepted,
  limitAfterRefused,
  limitAfterTuned,
  mayBeTooFast,
  mostOpen,
  type OpenLimit,
  unknownLimit,
} from '../../../src/money/breakers/open-limit.ts';
import { defaultPolicy, type Policy } from '../../../src/money/policy.ts';
import { lengths, search, speed } from './search-world.ts';

const auto: Policy = { ...defaultPolicy, searchFrom: 4, concurrency: 64 };
const plain: Policy = { ...defaultPolicy, concurrency: 10 };

/** So many creations accepted, one after the other, into slots that are full with each. */
function accept(limit: OpenLimit, count: number, policy = auto): OpenLimit {
  let after = limit;
  for (let i = 0; i < count; i++) {
    const used = mostOpen(after, policy);
    after = limitAfterAccepted(after, { open: used - 1, used, isLate: false, isCalm: true }, policy);
  }
  return after;
}

const refuse = (limit: OpenLimit, open: number, isLate = false, policy = auto): OpenLimit =>
  limitAfterRefused(limit, { open, isLate }, policy);

/** A search that knows that the service takes this many and no more. */
const known = (cap: number): OpenLimit => ({
  openLimit: cap,
  acceptedOpen: cap,
  refusedOpen: cap,
  accepted: 0,
  isFirstClimb: false,
});

describe('a plain number', () => {
  it('holds until the service refuses one, and again once it accepts more', () => {
    expect(concurrencyNow(unknownLimit, plain)).toBe(10);
    expect(mostOpen(unknownLimit, plain)).toBe(10);
    const refused = refuse(unknownLimit, 4, false, plain);
    expect(mostOpen(refused, plain)).toBe(4);
    expect(concurrencyNow(refused, plain)).toBe(10);
    const accepted = { open: 3, used: 4, isLate: false, isCalm: false };
    expect(limitAfterAccepted(refused, accepted, plain).openLimit).toBe(4.25);
    expect(mostOpen(accept(refused, 3, plain), plain)).toBe(7);
    expect(accept(refused, 6, plain).openLimit).toBe(Number.POSITIVE_INFINITY);
  });

  it('is lowered by every refusal, and never below one', () => {
    expect(refuse(refuse(unknownLimit, 4, false, plain), 3, true, plain).openLimit).toBe(3);
    expect(refuse(unknownLimit, 0, false, plain).openLimit).toBe(1);
  });

  it('is not blamed for a refusal while fewer tasks are open than were accepted', () => {
    const limit = { ...unknownLimit, acceptedOpen: 5 };
    expect(isBeyondAccepted(limit, 4, plain)).toBe(false);
    expect(isBeyondAccepted(limit, 5, plain)).toBe(true);
  });
});

describe('a search', () => {
  it('begins with the first number of its range, and climbs a quarter each time all slots have accepted tasks', () => {
    expect(mostOpen(unknownLimit, auto)).toBe(4);
    expect(concurrencyNow(known(12), auto)).toBe(12);
    const inFlight = { open: 2, used: 4, isLate: false, isCalm: true };
    expect(mostOpen(limitAfterAccepted(unknownLimit, inFlight, auto), auto)).toBe(4);
    const climb = Array.from({ length: 13 }, (_, full) => mostOpen(accept(unknownLimit, full), auto));
    expect(climb).toEqual([4, 5, 6, 7, 8, 10, 12, 15, 18, 22, 27, 33, 41]);
    expect(mostOpen(accept(unknownLimit, 20), auto)).toBe(64);
  });

  it('takes the first refusal of that climb for one of too many at once, and no other', () => {
    expect(mayBeTooFast(unknownLimit, auto)).toBe(true);
    expect(mayBeTooFast(refuse(unknownLimit, 20), auto)).toBe(false);
    expect(mayBeTooFast(unknownLimit, plain)).toBe(false);
  });

  it('grows later once as many tasks were replaced as it grows by: at most doubled in the time of one task', () => {
    const back = { ...known(16), refusedOpen: 40 };
    expect(mostOpen(accept(back, 1), auto)).toBe(16);
    expect(mostOpen(accept(back, 2), auto)).toBe(18);
    expect(mostOpen(accept(back, 5), auto)).toBe(18);
    expect(mostOpen(accept(back, 6), auto)).toBe(20);
  });

  it('does not grow while slots are free', () => {
    const idle = { open: 2, used: 3, isLate: false, isCalm: true };
    let limit = unknownLimit;
    for (let i = 0; i < 100; i++) limit = limitAfterAccepted(limit, idle, auto);
    expect(mostOpen(limit, auto)).toBe(4);
  });

  it('keeps seven tenths after a refusal, once for all creations that were on their way together', () => {
    const refused = refuse(accept(unknownLimit, 60), 20);
    expect(mostOpen(refused, auto)).toBe(14);
    expect(mostOpen(refuse(refused, 20, true), auto)).toBe(14);
    expect(mostOpen(refuse(unknownLimit, 0), auto)).toBe(1);
  });

  it('climbs back to what was refused, and tries one more only after many creations', () => {
    const back = accept(refuse(known(12), 12), 20);
    expect(mostOpen(back, auto)).toBe(12);
    const most = (limit: OpenLimit): number => mostOpen(limit, auto);
    expect(most(accept(known(12), 95))).toBe(12);
    expect(most(accept(known(12), 96))).toBe(13);
    expect(most(accept(known(3), 59))).toBe(3);
    expect(most(accept(known(3), 60))).toBe(4);
  });

  it('goes on from there if that is accepted, and waits while it is not answered', () => {
    const tried = accept(known(12), 96);
    const elsewhere = { open: 11, used: 13, isLate: false, isCalm: true };
    expect(limitAfterAccepted(tried, elsewhere, auto).refusedOpen).toBe(12);
    const beyond = accept(tried, 1);
    expect(beyond.refusedOpen).toBe(Number.POSITIVE_INFINITY);
    expect(mostOpen(accept(beyond, 12), auto)).toBeGreaterThan(13);
  });

  it('an answer that comes late shows what the service takes, not that it takes more now', () => {
    const late = { open: 12, used: 8, isLate: true, isCalm: false };
    expect(limitAfterAccepted(refuse(known(13), 12), late, auto).refusedOpen).toBe(13);
  });

  it('takes a refusal at the end of what was accepted for one of too many', () => {
    expect(isBeyondAccepted(known(12), 11, auto)).toBe(true);
    expect(isBeyondAccepted({ ...known(12), openLimit: 10 }, 11, auto)).toBe(false);
    expect(isBeyondAccepted({ ...known(12), openLimit: 13, refusedOpen: 20 }, 11, auto)).toBe(true);
    // Where few are open anyway, chance is no reason for fewer.
    expect(isBeyondAccepted(known(4), 3, auto)).toBe(false);
  });

  it('is always within one and the most that the user allows', () => {
    const step = fc.record({
      isAccepted: fc.boolean(),
      open: fc.nat(80),
      inFlight: fc.nat(16),
      isLate: fc.boolean(),
    });
    const range = fc.tuple(fc.integer({ min: 1, max: 20 }), fc.nat(50));
    fc.assert(
      fc.property(fc.array(step, { maxLength: 200 }), range, (steps, [searchFrom, more]) => {
        const policy = { ...auto, searchFrom, concurrency: searchFrom + more };
        let limit = unknownLimit;
        for (const { isAccepted, open, inFlight, isLate } of steps) {
          const before = mostOpen(limit, policy);
          limit = isAccepted
            ? limitAfterAccepted(limit, { open, used: open + inFlight, isLate, isCalm: true }, policy)
            : refuse(limit, open, isLate, policy);
          const after = mostOpen(limit, policy);
          expect(after).toBeGreaterThanOrEqual(1);
          expect(after).toBeLessThanOrEqual(policy.concurrency);
          if (!isAccepted) expect(after).toBeLessThanOrEqual(before);
          else expect(after).toBeGreaterThanOrEqual(before);
        }
      }),
    );
  });
});

describe('against a service with a hidden cap', () => {
  const lengthNames = Object.keys(lengths) as (keyof typeof lengths)[];
  const worlds = [3, 12, 50, 200].flatMap((cap) => lengthNames.map((length) => ({ cap, length })));

  it.for(worlds)(
    'of $cap, where tasks take $length, it finds it and is refused little',
    ({ cap, length }) => {
      const policy = { searchFrom: 4, concurrency: 256 };
      const { foundAfter, refused, throughput } = search(
        { policy, cap: () => cap, length, seed: 8, until: 60 },
        cap,
      );
      expect(foundAfter).toBeLessThan(0.1);
      expect(refused).toBeLessThanOrEqual(0.02);
      expect(throughput).toBeGreaterThan(0.9);
    },
  );

  it.for(lengthNames)('a thousand rows take no longer than with its cap, where tasks take %s', (length) => {
    const policy = { searchFrom: 4, concurrency: 64 };
    const speeds = [1, 2, 3, 4, 5].map((seed) => speed({ policy, rows: 1_000, length, seed }, 50));
    expect(Math.min(...speeds)).toBeGreaterThan(0.9);
    expect(speeds.reduce((sum, one) => sum + one) / speeds.length).toBeGreaterThan(0.97);
  });

  it.for([
    [12, 50],
    [50, 12],
  ] as const)('that changes from %i to %i, it follows', ([before, after]) => {
    const policy = { searchFrom: 4, concurrency: 64 };
    const cap = (at: number): number => (at < 40 ? before : after);
    const world = { policy, cap, length: 'half to one and a half', seed: 7, until: 100 } as const;
    const { foundAfter, refused } = search(world, after, 40);
    expect(foundAfter).toBeLessThan(20);
    expect(refused).toBeLessThanOrEqual(0.02);
  });

  it('a pause that each refusal asks for makes it wait no longer', () => {
    const policy = { searchFrom: 4, concurrency: 256, pollIntervalMs: 60_000 };
    const world = { policy, cap: () => 50, length: 'half to one and a half', seed: 7, until: 60 } as const;
    const { foundAfter, refused, throughput } = search({ ...world, retryAfterMs: 60_000 }, 50);
    expect(foundAfter).toBeLessThan(20);
    expect(refused).toBeLessThanOrEqual(0.02);
    expect(throughput).toBeGreaterThan(0.9);
  });
});

describe('a search that the user ends with a plain number', () => {
  it('holds nothing back that the service did not refuse', () => {
    const searching = { ...known(8), refusedOpen: Number.POSITIVE_INFINITY };
    expect(mostOpen(limitAfterTuned(searching, auto, plain), plain)).toBe(10);
    expect(limitAfterTuned(known(8), auto, plain)).toEqual(known(8));
    expect(limitAfterTuned(searching, auto, { ...auto, concurrency: 32 })).toEqual(searching);
    expect(limitAfterTuned(known(4), plain, auto)).toEqual(known(4));
  });
});
