import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type PriceRange,
  predictPoints,
  type RestSums,
  sumPaid,
  sumRest,
} from '../../../src/money/forecast/price-range.ts';
import type { Quality } from '../../../src/money/item.ts';

type Video = Parameters<typeof sumPaid>[0] extends Iterable<infer One> ? One : never;

function videos(
  quality: Quality,
  ...prices: readonly (readonly [points: number, characters: number])[]
): Video[] {
  return prices.map(([points, characters]) => ({ quality, points, characters }));
}

function rest(quality: Quality, rows: number, meanCharacters: number | null = null): RestSums {
  return { quality, rows, meanCharacters };
}

function rangeOf(paid: readonly Video[], ...left: readonly RestSums[]): PriceRange | null {
  return predictPoints(sumPaid(paid), left);
}

describe('the range', () => {
  const flat = videos('m', [10, 50], [10, 80], [10, 20], [10, 200]);

  it('is a single number where every video of the quality cost the same', () => {
    expect(rangeOf(flat, rest('m', 480))).toEqual({
      low: 4_800,
      high: 4_800,
      points: 4_800,
      videos: 4,
      byQuality: false,
      byLength: false,
    });
  });

  it('takes each quality at its own price', () => {
    const paid = [...flat, ...videos('h', [20, 90])];
    expect(rangeOf(paid, rest('m', 100), rest('h', 10))).toMatchObject({
      low: 1_200,
      high: 1_200,
      videos: 5,
      byQuality: true,
    });
  });

  it('follows the length of the texts where the prices do', () => {
    const paid = videos('m', [10, 100], [20, 200], [31, 300], [39, 400], [50, 500], [61, 600], [70, 700]);
    const range = rangeOf(paid, rest('m', 100, 800));
    expect(range).toMatchObject({ byLength: true });
    expect(range?.low).toBeGreaterThan(7_500);
    expect(range?.high).toBeLessThan(8_500);
    expect(range?.points).toBeCloseTo(8_000, -2);
    // Where their length is not known, they count as long as those that were paid for.
    expect(rangeOf(paid, rest('m', 100))?.points).toBeCloseTo(4_014, -1);
  });

  it('does not follow the length of a few, nor one that explains little, nor one that is the same', () => {
    const few = videos('m', [10, 100], [20, 200], [31, 300], [39, 400], [50, 500]);
    const noise = videos('m', [10, 100], [30, 200], [5, 300], [40, 400], [8, 500], [35, 600], [20, 700]);
    const same = videos('m', [10, 5], [30, 5], [5, 5], [40, 5], [8, 5], [35, 5], [20, 5]);
    for (const paid of [few, noise])
      expect(rangeOf(paid, rest('m', 100, 500))).toMatchObject({ byLength: false });
    expect(rangeOf(same, rest('m', 100, 5))).toMatchObject({ byLength: false });
  });

  it('is not there where the texts of the rest are of quite other lengths, unless all prices are one', () => {
    const paid = videos('m', [10, 100], [20, 200], [31, 300], [39, 400], [50, 500], [61, 600], [70, 700]);
    expect(rangeOf(paid, rest('m', 100, 830))).not.toBeNull();
    expect(rangeOf(paid, rest('m', 100, 840))).toBeNull();
    expect(rangeOf(flat, rest('m', 480, 9_000))).toMatchObject({ low: 4_800, high: 4_800 });
  });

  it('is never of less than nothing, though longer texts were much cheaper', () => {
    const paid = videos('m', [90, 10], [1, 100], [90, 10], [1, 100], [90, 10], [1, 100], [90, 10]);
    expect(rangeOf(paid, rest('m', 100, 130))).toMatchObject({ low: 0, points: 0, byLength: true });
  });

  it('is wider with fewer videos and more spread, never below nothing, and rounded outward', () => {
    const paid = videos('m', [8, 50], [9, 50], [11, 50], [12, 50]);
    // Mean 10, standard deviation 1.83: 1,000 rows cost 10,000 within 3.16 standard errors of 915.
    expect(rangeOf(paid, rest('m', 1_000))).toMatchObject({ low: 7_100, high: 12_900, points: 10_000 });
    expect(rangeOf([...paid, ...paid, ...paid], rest('m', 1_000))).toMatchObject({
      low: 8_900,
      high: 11_100,
    });
    expect(rangeOf(videos('m', [1, 5], [1, 5], [1, 5], [90, 5]), rest('m', 10))?.low).toBe(0);
    expect(rangeOf(videos('m', [8, 5], [9, 5], [11, 5], [12, 5]), rest('m', 1))).toMatchObject({
      low: 3,
      high: 17,
    });
  });

  it('is not there while too few were paid for, or none of a quality that is left, or nothing is left', () => {
    expect(rangeOf(flat.slice(1), rest('m', 480))).toBeNull();
    expect(rangeOf(flat, rest('m', 480), rest('h', 1))).toBeNull();
    expect(rangeOf(flat, rest('m', 480), rest('h', 0))).not.toBeNull();
    expect(rangeOf(flat, rest('m', 0))).toBeNull();
    expect(rangeOf([], rest('m', 5))).toBeNull();
  });
});

describe('what is left', () => {
  const measured = [
    { quality: 'm', rows: 1, characters: 30 },
    { quality: 'h', rows: 2, characters: 50 },
    { quality: 'm', rows: 3, characters: 90 },
  ] as const;

  it('is added up by quality, with the mean length of its texts', () => {
    expect(sumRest(measured)).toEqual([rest('h', 2, 25), rest('m', 4, 30), rest('l', 0)]);
  });

  it('has the length of the rows that were measured, where these are only some', () => {
    expect(sumRest(measured, { h: 20, m: 40, l: 5 })).toEqual([
      rest('h', 20, 25),
      rest('m', 40, 30),
      rest('l', 5),
    ]);
  });
});

describe('whatever was paid', () => {
  const anyVideo = fc.record({
    quality: fc.constantFrom<Quality>('h', 'm', 'l'),
    points: fc.integer({ min: 1, max: 5_000 }),
    characters: fc.nat(5_000),
  });

  it('the best guess is in the range, and twice as many rows cost twice as much', () => {
    return fc.assert(
      fc.property(fc.array(anyVideo, { minLength: 4, maxLength: 60 }), fc.nat(5_000), (paid, length) => {
        const one = rangeOf(paid, rest('m', 50, length));
        if (one === null) return;
        const two = rangeOf(paid, rest('m', 100, length));
        expect(one.low).toBeLessThanOrEqual(one.points);
        expect(one.high).toBeGreaterThanOrEqual(one.points);
        expect(two?.points).toBeCloseTo(2 * one.points, 3);
        expect(two?.high).toBeGreaterThanOrEqual(one.high);
      }),
    );
  });
});
