import { describe, expect, it } from 'vitest';
import {
  addQualities,
  decideBudget,
  estimatePoints,
  noRows,
  rowsWithin,
  withoutCounts,
} from '../../../src/money/forecast/estimate.ts';
import type { Quality } from '../../../src/money/item.ts';
import { createLedger, type Ledger } from '../../../src/money/summary.ts';

function ledgerOf(prices: Partial<Record<Quality, number>>, spent = 0): Ledger {
  const ledger = createLedger();
  for (const [quality, points] of Object.entries(prices))
    ledger.largestPoints.set(quality as Quality, points);
  ledger.spent = spent;
  return ledger;
}

const all = { quality: null, limit: null } as const;

describe('an estimate', () => {
  it('is nothing for no rows, whether a price is known or not', () => {
    for (const ledger of [ledgerOf({}), ledgerOf({ m: 10 })])
      expect(estimatePoints(noRows, ledger, all)).toEqual({
        ...{ rows: 0, points: 0, parts: [], unpriced: [], isMost: false },
      });
  });

  it('of rows that a limit of none keeps back is nothing', () => {
    const none = { quality: null, limit: 0 };
    expect(estimatePoints({ ...noRows, m: 3 }, ledgerOf({}), none)).toMatchObject({ rows: 0, points: 0 });
    expect(estimatePoints({ ...noRows, m: 3 }, ledgerOf({ m: 1 }), none)).toMatchObject({
      rows: 0,
      points: 0,
    });
  });

  it('is unknown while no price is', () => {
    expect(estimatePoints({ ...noRows, none: 3 }, ledgerOf({}), all)).toMatchObject({
      rows: 3,
      points: null,
    });
  });

  it('takes the largest points of each quality, the dearest first', () => {
    const counts = { h: 2, m: 1, l: 1, none: 3 };
    expect(estimatePoints(counts, ledgerOf({ h: 25, m: 10, l: 10 }), all)).toEqual({
      rows: 7,
      points: 100,
      parts: [
        { qualities: ['h'], rows: 2, each: 25 },
        { qualities: ['m', 'l'], rows: 5, each: 10 },
      ],
      unpriced: [],
      isMost: false,
    });
  });

  it('is unknown with one row of a quality that was never paid for, whatever others cost, and names it', () => {
    const unknown = { rows: 2, points: null, parts: [], isMost: false };
    const counts = { ...noRows, h: 1, l: 1 };
    expect(estimatePoints(counts, ledgerOf({ m: 10, l: 4 }), all)).toEqual({ ...unknown, unpriced: ['h'] });
    expect(estimatePoints(counts, ledgerOf({}), all)).toEqual({ ...unknown, unpriced: [] });
  });

  it('counts rows without a quality at the one of the run', () => {
    const estimate = estimatePoints({ ...noRows, none: 2 }, ledgerOf({ h: 25, m: 10 }), {
      quality: 'h',
      limit: null,
    });
    expect(estimate.points).toBe(50);
  });

  it('of some of the rows is of the dearest', () => {
    const estimate = estimatePoints({ ...noRows, h: 2, m: 5 }, ledgerOf({ h: 25, m: 10 }), {
      quality: null,
      limit: 3,
    });
    expect(estimate).toMatchObject({ rows: 3, points: 60, isMost: true });
    expect(
      estimatePoints({ ...noRows, m: 5 }, ledgerOf({ m: 10 }), { quality: null, limit: 3 }),
    ).toMatchObject({ rows: 3, points: 30, isMost: false });
  });

  it('has no dust of binary fractions on it', () => {
    expect(estimatePoints({ ...noRows, m: 3 }, ledgerOf({ m: 0.1 }), all).points).toBe(0.3);
  });
});

describe('a cap on points', () => {
  const estimate = estimatePoints({ ...noRows, h: 2, m: 5 }, ledgerOf({ h: 25, m: 10 }), all);
  it.each([
    [100, 0, 7],
    [99, 0, 6],
    [60, 0, 3],
    [40, 0, 1],
    [24, 0, 0],
    [100, 100, 0],
    [100, 120, 0],
  ])('of %d points after %d spent has room for %d rows', (cap, spent, rows) => {
    expect(rowsWithin(cap, ledgerOf({ h: 25, m: 10 }, spent), estimate)).toBe(rows);
  });

  it('leaves room for what is reserved', () => {
    const ledger = ledgerOf({ h: 25, m: 10 });
    ledger.reserving.set('m', 4);
    expect(rowsWithin(100, ledger, estimate)).toBe(3);
  });

  it('says nothing while a price is not known that one row may show', () => {
    const unknown = { rows: 1, points: null, parts: [], unpriced: [], isMost: false };
    expect(rowsWithin(100, ledgerOf({}), unknown)).toBeNull();
    const onItsWay = ledgerOf({});
    onItsWay.reserving.set('h', 1);
    expect(rowsWithin(100, onItsWay, unknown)).toBeNull();
    expect(rowsWithin(100, ledgerOf({ m: 10 }, 90), unknown)).toBeNull();
    expect(rowsWithin(100, ledgerOf({ m: 10 }, 91), unknown)).toBe(0);
  });
});

it('counts of two kinds add up', () => {
  expect(withoutCounts({ h: 2, m: 3, l: 4, none: 5 }, { h: 1, m: 1, l: 1, none: 1 })).toEqual({
    ...{ h: 1, m: 2, l: 3, none: 4 },
  });
  expect(addQualities({ h: 1, m: 2, l: 3, none: 4 }, { h: 1, m: 1, l: 1, none: 1 })).toEqual({
    h: 2,
    m: 3,
    l: 4,
    none: 5,
  });
});

describe('the budget of a proposed command', () => {
  const need = { points: 30, cap: null, isNew: true, hasStopped: false };

  it('is what is spent and the rest, where nobody has agreed to pay for the rest', () => {
    const ledger = ledgerOf({ m: 10 });
    ledger.spent = 20.5;
    expect(decideBudget(ledger, need)).toBe(51);
    expect(decideBudget(ledger, { ...need, isNew: false })).toBeNull();
  });

  it('is raised where the cap in force has no room for the rows', () => {
    const ledger = ledgerOf({ m: 10 });
    expect(decideBudget(ledger, { ...need, cap: 29 })).toBe(30);
    expect(decideBudget(ledger, { ...need, cap: 30 })).toBeNull();
  });

  it('is none where no price is known, and is given up where that stopped the run', () => {
    expect(decideBudget(ledgerOf({}), { ...need, points: null })).toBeNull();
    expect(decideBudget(ledgerOf({}), { ...need, points: null, cap: 5, hasStopped: true })).toBe('none');
    // Of another quality: room for one row, which shows the price.
    const other = { ...need, points: null, cap: 25, hasStopped: true };
    expect(decideBudget(ledgerOf({ m: 10 }, 20), other)).toBe(30);
    expect(decideBudget(ledgerOf({ m: 10 }, 20), { ...other, hasStopped: false })).toBeNull();
    const reserved = ledgerOf({});
    reserved.reserving.set('h', 1);
    expect(decideBudget(reserved, { ...need, cap: 5, hasStopped: true })).toBe('none');
  });
});
