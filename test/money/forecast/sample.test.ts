import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createSampler, type Sample, type SampleCandidate } from '../../../src/money/forecast/sample.ts';
import type { Quality } from '../../../src/money/item.ts';

function sampled(count: number, rows: readonly SampleCandidate[], seed = 1): Sample {
  const sampler = createSampler(count, seed);
  for (const row of rows) sampler.add(row);
  return sampler.take();
}

/** Rows with one length for each entry. */
function rowsOf(lengths: readonly number[], part: Partial<SampleCandidate> = {}): SampleCandidate[] {
  return lengths.map((characters, at) => ({
    key: at + 1,
    id: `q-${at + 1}`,
    quality: 'm',
    characters,
    pictures: 0,
    ...part,
  }));
}

function times(count: number, length: number): number[] {
  return Array.from({ length: count }, () => length);
}

describe('a sample', () => {
  it('takes all rows where there are no more, and none of none', () => {
    expect(sampled(5, rowsOf([10, 20, 30])).keys).toEqual([1, 2, 3]);
    expect(sampled(5, [])).toEqual({ keys: [], rows: 0, strata: 0 });
  });

  it('takes short and long texts by their share', () => {
    const { keys, rows, strata } = sampled(10, rowsOf([...times(80, 20), ...times(20, 900)]));
    expect({ rows, strata }).toEqual({ rows: 100, strata: 2 });
    expect(keys.filter((key) => key <= 80)).toHaveLength(8);
    expect(keys.filter((key) => key > 80)).toHaveLength(2);
  });

  it('tells rows with no picture, with one and with more apart', () => {
    const rows = [0, 1, 2, 3].flatMap((pictures) =>
      rowsOf(times(10, 50), { pictures }).map((row) => ({
        ...row,
        key: row.key + pictures * 10,
        id: `${pictures}-${row.id}`,
      })),
    );
    const { keys, strata } = sampled(4, rows);
    expect(strata).toBe(3);
    expect(keys.filter((key) => key <= 10)).toHaveLength(1);
    expect(keys.filter((key) => key > 10 && key <= 20)).toHaveLength(1);
    expect(keys.filter((key) => key > 20)).toHaveLength(2);
  });

  it('has three rows of a rare quality, so that its price is known', () => {
    const rows = rowsOf(times(1_000, 50)).map((row) => ({
      ...row,
      quality: (row.key <= 10 ? 'h' : 'm') as Quality,
    }));
    const { keys } = sampled(20, rows);
    expect(keys.filter((key) => key <= 10)).toHaveLength(3);
    expect(keys).toHaveLength(20);
  });

  it('of two rows leaves one of three qualities out', () => {
    const rows = rowsOf(times(30, 50)).map((row) => ({
      ...row,
      quality: (['h', 'm', 'l'] as const)[row.key % 3] ?? 'm',
    }));
    expect(sampled(2, rows).keys).toHaveLength(2);
  });

  it('is the same where two ids draw the same lot', () => {
    const rows = rowsOf(times(5, 50)).map((row) => ({ ...row, id: 'one' }));
    expect(sampled(2, rows.toReversed()).keys).toEqual([1, 2]);
  });

  it('is another one for another seed', () => {
    const rows = rowsOf(times(1_000, 50));
    expect(sampled(20, rows, 1).keys).not.toEqual(sampled(20, rows, 2).keys);
  });

  it('gives every row about the same chance, the few longest included', () => {
    const rows = rowsOf([
      ...times(190, 50),
      ...[300, 500, 800, 1_300, 2_000, 3_000, 5_000, 8_000, 13_000, 20_000],
    ]);
    let long = 0;
    for (let seed = 1; seed <= 400; seed += 1)
      long += sampled(20, rows, seed).keys.filter((key) => key > 190).length;
    // 10 of 200 rows in 20 places: one on average.
    expect(long / 400).toBeGreaterThan(0.9);
    expect(long / 400).toBeLessThan(1.1);
  });
});

const anyRow = fc.record({
  quality: fc.constantFrom<Quality>('h', 'm', 'l'),
  characters: fc.nat(5_000),
  pictures: fc.nat(4),
});
const anyRows = fc
  .array(anyRow, { maxLength: 300 })
  .map((rows) => rows.map((row, at) => ({ ...row, key: at + 1, id: `q-${at + 1}` })));

describe('whatever the rows', () => {
  it('a sample has exactly as many rows as wanted, or all, and each once', () => {
    return fc.assert(
      fc.property(anyRows, fc.integer({ min: 1, max: 400 }), fc.nat(9), (rows, count, seed) => {
        const { keys } = sampled(count, rows, seed);
        expect(keys).toHaveLength(Math.min(count, rows.length));
        expect(new Set(keys).size).toBe(keys.length);
      }),
    );
  });

  it('the same seed gives the same sample, in whatever order the rows come', () => {
    return fc.assert(
      fc.property(anyRows, fc.integer({ min: 1, max: 60 }), fc.nat(9), (rows, count, seed) => {
        expect(sampled(count, rows.toReversed(), seed)).toEqual(sampled(count, rows, seed));
      }),
    );
  });

  it('a stratum whose share is a row or more is in the sample', () => {
    const one = anyRows.map((rows) => rows.map((row) => ({ ...row, quality: 'm' as const })));
    return fc.assert(
      fc.property(one, fc.integer({ min: 1, max: 60 }), fc.nat(9), (rows, count, seed) => {
        const chosen = new Set(sampled(count, rows, seed).keys);
        const nameOf = ({ characters, pictures }: SampleCandidate): string =>
          `${Math.floor(2 * Math.log2(characters + 1))} ${Math.min(pictures, 2)}`;
        for (const stratum of Map.groupBy(rows, nameOf).values()) {
          if (stratum.length * count < rows.length) continue;
          expect(stratum.some(({ key }) => chosen.has(key))).toBe(true);
        }
      }),
    );
  });

  it('a quality with rows is in a sample that has room for it', () => {
    return fc.assert(
      fc.property(anyRows, fc.integer({ min: 3, max: 60 }), fc.nat(9), (rows, count, seed) => {
        const chosen = new Set(sampled(count, rows, seed).keys);
        for (const [, some] of Map.groupBy(rows, ({ quality }) => quality))
          expect(some.some(({ key }) => chosen.has(key))).toBe(true);
      }),
    );
  });
});
