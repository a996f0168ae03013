import { describe, expect, it, test } from 'vitest';
import type { Item, Quality, Status } from '../../src/money/item.ts';
import { defaultPolicy, fixed, type Policy } from '../../src/money/policy.ts';
import { createLedger, type Ledger } from '../../src/money/summary.ts';
import {
  budgetEnd,
  decideAffordable,
  decideRoom,
  firstFree,
  isOverdue,
  mostlyUncertain,
  nearBudget,
  nextTickAt,
  pauseLeftMs,
  placesAfter,
  uncertainSlotMs,
  uncertainSlots,
  unpricedQualities,
} from '../../src/money/tick.ts';
import { at, itemIn } from './lives.ts';

const minute = 60_000;
const free = { window: 16, openLimit: Number.POSITIVE_INFINITY, uncertain: 0, submittedRows: 0, fetching: 0 };
const place = (at: number) => ({ id: 'q1', at });
const policyOf = (part: Partial<Policy>): Policy => ({ ...defaultPolicy, ...part });

interface Numbers {
  readonly counts?: Partial<Record<Status, number>>;
  readonly spent?: number;
  readonly prices?: Partial<Record<Quality, number>>;
  readonly reserving?: Partial<Record<Quality, number>>;
  readonly longestTaskMs?: number;
}

function ledgerOf({ counts = {}, spent = 0, prices = {}, reserving = {}, longestTaskMs }: Numbers): Ledger {
  return {
    counts: { ...createLedger().counts, ...counts },
    held: 0,
    spent,
    largestPoints: new Map(Object.entries(prices) as [Quality, number][]),
    reserving: new Map(Object.entries(reserving) as [Quality, number][]),
    unpriced: 0,
    longestTaskMs: longestTaskMs ?? null,
  };
}

describe('room', () => {
  it('is what submitting, open and uncertain rows leave of the concurrency', () => {
    const policy = policyOf({ concurrency: 10 });
    expect(decideRoom(policy, ledgerOf({}), free)).toBe(10);
    const ledger = ledgerOf({ counts: { submitting: 2, open: 3, downloading: 50, uncertain: 50 } });
    expect(decideRoom(policy, ledger, free)).toBe(5);
    expect(decideRoom(policy, ledger, { ...free, uncertain: 4 })).toBe(1);
  });

  it('is never less than none', () => {
    const ledger = ledgerOf({ counts: { open: 9 } });
    expect(decideRoom(policyOf({ concurrency: 3 }), ledger, free)).toBe(0);
    expect(decideRoom(policyOf({ limit: 2 }), ledgerOf({}), { ...free, submittedRows: 3 })).toBe(0);
  });

  it('is never more than sixteen creations in flight, whatever the concurrency', () => {
    const policy = policyOf({ concurrency: 500 });
    expect(decideRoom(policy, ledgerOf({ counts: { open: 100 } }), free)).toBe(16);
    expect(decideRoom(policy, ledgerOf({ counts: { submitting: 15 } }), free)).toBe(1);
    expect(decideRoom(policy, ledgerOf({ counts: { submitting: 16 } }), free)).toBe(0);
  });

  it('is less where many items wait for their files, and none where the line of them is long', () => {
    const policy = policyOf({ concurrency: 10 });
    expect(decideRoom(policy, ledgerOf({}), { ...free, fetching: 64 })).toBe(10);
    expect(decideRoom(policy, ledgerOf({}), { ...free, fetching: 70 })).toBe(4);
    expect(decideRoom(policy, ledgerOf({}), { ...free, fetching: 5_000 })).toBe(0);
    expect(decideRoom(policy, ledgerOf({}), { ...free, deliverable: 1 })).toBe(1);
  });

  it('is one creation at a time until the service has taken one, and no more tasks than it takes', () => {
    const policy = policyOf({ concurrency: 100 });
    expect(decideRoom(policy, ledgerOf({}), { ...free, window: 1 })).toBe(1);
    expect(decideRoom(policy, ledgerOf({ counts: { submitting: 1 } }), { ...free, window: 3 })).toBe(2);
    const ledger = ledgerOf({ counts: { submitting: 1, open: 2 } });
    expect(decideRoom(policy, ledger, { ...free, openLimit: 4.9 })).toBe(1);
    expect(decideRoom(policy, ledger, { ...free, openLimit: 3 })).toBe(0);
    expect(decideRoom(policy, ledger, { ...free, openLimit: 1 })).toBe(0);
  });

  it('ends with the limit of rows for this run', () => {
    const policy = policyOf({ limit: 5 });
    expect(decideRoom(policy, ledgerOf({}), free)).toBe(5);
    expect(decideRoom(policy, ledgerOf({}), { ...free, submittedRows: 3 })).toBe(2);
    expect(decideRoom(policy, ledgerOf({}), { ...free, submittedRows: 5 })).toBe(0);
  });
});

describe('an uncertain creation', () => {
  it('holds its slot for half an hour while no task has ended', () => {
    const holdMs = uncertainSlotMs(ledgerOf({}), policyOf({}));
    expect(holdMs).toBe(30 * minute);
    expect(uncertainSlots([place(at)], holdMs, at + holdMs - 1)).toEqual([place(at)]);
    expect(uncertainSlots([place(at)], holdMs, at + holdMs)).toEqual([]);
  });

  it('holds its slot for as long as the longest task so far took', () => {
    const ledger = ledgerOf({ longestTaskMs: 5 * minute });
    const places = [place(at), place(at + minute)];
    expect(uncertainSlots(places, uncertainSlotMs(ledger, policyOf({})), at + 5 * minute)).toEqual([
      place(at + minute),
    ]);
    expect(uncertainSlotMs(ledgerOf({ longestTaskMs: 90 * minute }), policyOf({}))).toBe(90 * minute);
  });

  it('holds its slot no longer than a task that is known: one was found to have ended days before', () => {
    const policy = policyOf({ taskTimeoutMs: 20 * minute });
    expect(uncertainSlotMs(ledgerOf({ longestTaskMs: 48 * 60 * minute }), policy)).toBe(20 * minute);
    expect(uncertainSlotMs(ledgerOf({}), policy)).toBe(20 * minute);
  });

  it('does not hold its slot for years when the clock was set back', () => {
    const future = at + 365 * 24 * 60 * minute;
    const near = place(at + 30 * minute);
    expect(uncertainSlots([place(future), near], 30 * minute, at)).toEqual([near]);
  });
});

describe('the budget', () => {
  const row = (quality: Quality | null = null): Item => itemIn('pending', { quality });
  const rows = [row(), row(), row(), row()];
  const affordable = (maxPoints: number | null, numbers: Numbers, candidates: readonly Item[] = rows) =>
    decideAffordable(policyOf({ maxPoints }), ledgerOf(numbers), candidates);

  it('lets all rows go where there is none', () => {
    expect(affordable(null, { spent: 1e9 })).toBe(4);
  });

  it('lets one row go while no price is known, and the next when its points are seen', () => {
    expect(affordable(100, {})).toBe(1);
    expect(affordable(100, {}, [])).toBe(0);
    expect(affordable(100, { reserving: { m: 1 } })).toBe(0);
    expect(affordable(100, { reserving: { m: 0 } })).toBe(1);
    expect(affordable(100, { reserving: { m: 0 }, spent: 10, prices: { m: 10 } })).toBe(4);
  });

  it('lets no row go at an unknown price when nothing is left to spend', () => {
    expect(affordable(0, {})).toBe(0);
    expect(affordable(5, { spent: 5 })).toBe(0);
  });

  it('can be reached exactly', () => {
    expect(affordable(40, { prices: { m: 10 } })).toBe(4);
    expect(affordable(39, { prices: { m: 10 } })).toBe(3);
    expect(affordable(40, { prices: { m: 10 }, spent: 30 })).toBe(1);
    expect(affordable(40, { prices: { m: 10 }, spent: 31 })).toBe(0);
  });

  it('can be reached exactly in fractions of points, too', () => {
    expect(affordable(0.3, { prices: { m: 0.1 } })).toBe(3);
    expect(affordable(0.4, { prices: { m: 0.1 }, spent: 0.1 + 0.2 })).toBe(1);
  });

  it('counts what open and uncertain rows may still cost', () => {
    expect(affordable(40, { prices: { m: 10 }, spent: 10, reserving: { m: 2 } })).toBe(1);
    expect(affordable(40, { prices: { m: 10 }, spent: 10, reserving: { m: 3 } })).toBe(0);
    expect(affordable(45, { prices: { h: 20, m: 10 }, reserving: { h: 1, m: 1 } })).toBe(1);
  });

  it('expects of each row the price of its quality', () => {
    const prices = { l: 2, h: 20 };
    expect(affordable(25, { prices }, [row('l'), row('h'), row('l')])).toBe(3);
    expect(affordable(23, { prices }, [row('l'), row('h'), row('l')])).toBe(2);
  });

  it('lets a row of a quality without a price go alone, and nothing until its points are seen', () => {
    const prices = { l: 2, h: 20 };
    expect(affordable(25, { prices }, [row('m'), row('l'), row('l')])).toBe(1);
    expect(affordable(25, { prices }, [row('l'), row('l'), row('m'), row('l')])).toBe(2);
    expect(affordable(25, { prices, reserving: { m: 1 } }, [row('l'), row('l')])).toBe(0);
    // It costs what the dearest of the others costs, as far as anybody can guess: without that much room it is not tried.
    expect(affordable(25, { prices, spent: 6 }, [row('m')])).toBe(0);
  });

  it('takes rows without a quality for the quality of the run, or for that of the service', () => {
    const ledger = ledgerOf({ prices: { l: 2, m: 10 } });
    expect(decideAffordable(policyOf({ maxPoints: 10, quality: 'l' }), ledger, rows)).toBe(4);
    expect(decideAffordable(policyOf({ maxPoints: 10 }), ledger, rows)).toBe(1);
  });

  it('does not skip a dear row for a cheap one behind it', () => {
    expect(affordable(10, { prices: { h: 20, l: 2 } }, [row('l'), row('h'), row('l')])).toBe(1);
  });

  it('is near from four fifths on', () => {
    const near = (maxPoints: number | null, numbers: Numbers) =>
      nearBudget(policyOf({ maxPoints }), ledgerOf(numbers));
    expect(near(100, { spent: 79 })).toBeNull();
    expect(near(100, { spent: 80 })).toEqual({ percent: 80, points: 80, cap: 100 });
    expect(near(60, { spent: 40, prices: { m: 10 }, reserving: { m: 1 } })).toMatchObject({ percent: 83 });
    expect(near(100, { spent: 79, reserving: { m: 2 } })).toBeNull();
    expect(near(0, {})).toEqual({ percent: 100, points: 0, cap: 0 });
    expect(near(null, { spent: 1e9 })).toBeNull();
  });
});

describe('a budget without room', () => {
  it('waits while a task is on its way that may make some', () => {
    expect(budgetEnd(ledgerOf({ counts: { open: 1 }, reserving: { m: 1 } }), 0)).toBeNull();
    expect(budgetEnd(ledgerOf({ counts: { submitting: 1 }, reserving: { m: 1 } }), 0)).toBeNull();
    expect(budgetEnd(ledgerOf({ spent: 30, prices: { m: 10 } }), 1)).toBeNull();
  });

  it('is at its end, or was never one where no price can be learned', () => {
    expect(budgetEnd(ledgerOf({ spent: 30, prices: { m: 10 } }), 0)).toBe('points-cap');
    const numbers = { counts: { uncertain: 1, lost: 1 }, prices: { m: 10 }, reserving: { h: 2, l: 0 } };
    expect(budgetEnd(ledgerOf(numbers), 0)).toBe('unpriced');
    expect(unpricedQualities(ledgerOf(numbers))).toEqual(['h']);
  });
});

describe('the places of uncertain creations', () => {
  it('come and go with their rows', () => {
    const row = itemIn('uncertain');
    const places = placesAfter([place(5)], itemIn('submitting'), row);
    expect(places).toEqual([place(5), { id: row.id, at }]);
    expect(placesAfter(places, row, itemIn('open'))).toEqual([place(5)]);
    expect(placesAfter(places, row, { ...row, failure: 'again' })).toBe(places);
    expect(placesAfter([], itemIn('pending'), itemIn('submitting'))).toEqual([]);
    expect(placesAfter([], itemIn('submitting'), itemIn('uncertain', { submittedAt: null }))).toEqual([]);
  });

  it('say which of them is free first', () => {
    expect(firstFree([], minute)).toBeNull();
    const places = [place(9_000), { id: 'q2', at: 4_000 }, place(7_000)];
    expect(firstFree(places, minute)).toEqual({ id: 'q2', at: 4_000 + minute });
  });
});

test('uncertain rows delay a run where no place is free and half of all are theirs', () => {
  const ledger = ledgerOf({ counts: { open: 1, submitting: 1 }, longestTaskMs: minute });
  const places = [place(at), { id: 'q2', at: at - 5_000 }];
  const slots = (concurrency: number, own = places, counts = {}) =>
    mostlyUncertain(
      own,
      { ...ledger, counts: { ...ledger.counts, ...counts } },
      policyOf({ concurrency }),
      at,
    );
  expect(slots(4)).toEqual({ held: 2, of: 4, id: 'q2', until: at + minute - 5_000 });
  expect(slots(1)).toMatchObject({ held: 1, of: 1 });
  expect(slots(5)).toBeNull();
  expect(slots(5, places, { open: 2 })).toBeNull();
  expect(slots(2, [])).toBeNull();
});

test('what is left of a pause that an earlier run was asked for is never more than any pause may be', () => {
  expect(pauseLeftMs(at - 1, at)).toBe(0);
  expect(pauseLeftMs(at + minute, at)).toBe(minute);
  expect(pauseLeftMs(at + fixed.retryAfterMaxMs, at)).toBe(fixed.retryAfterMaxMs);
  // The clock was put back since.
  expect(pauseLeftMs(at + fixed.retryAfterMaxMs + 1, at)).toBe(0);
});

describe('the tick', () => {
  const policy = policyOf({ pollIntervalMs: 30_000 });

  it('comes at once the first time, then one interval after the last one began', () => {
    expect(nextTickAt(null, at, policy)).toBe(at);
    expect(nextTickAt(at, at, policy)).toBe(at + 30_000);
    expect(nextTickAt(at, at + 29_999, policy)).toBe(at + 30_000);
  });

  it('makes up for a sleep with one sweep, not with one for every interval', () => {
    const awake = at + 3_600_000;
    expect(nextTickAt(at, awake, policy)).toBeLessThanOrEqual(awake);
    expect(nextTickAt(awake, awake, policy)).toBe(awake + 30_000);
  });
});

test('a task is overdue once waiting has taken longer than the user wants', () => {
  const policy = policyOf({ taskTimeoutMs: minute });
  expect(isOverdue(itemIn('open'), at + minute, policy)).toBe(false);
  expect(isOverdue(itemIn('open'), at + minute + 1, policy)).toBe(true);
  expect(isOverdue(itemIn('open', { submittedAt: null }), at + 1e12, policy)).toBe(false);
});
