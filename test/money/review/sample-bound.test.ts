import { describe, expect, it, test } from 'vitest';
import { leftToWatch, mostBad, type Watched } from '../../../src/money/review/sample-bound.ts';

/** `choices[of][chosen]`, exact: Pascal's triangle. */
const choices: readonly (readonly bigint[])[] = (() => {
  const rows: bigint[][] = [[1n]];
  for (let of = 1; of <= 60; of += 1) {
    const above = rows[of - 1] ?? [];
    rows.push(Array.from({ length: of + 1 }, (_, at) => (above[at - 1] ?? 0n) + (above[at] ?? 0n)));
  }
  return rows;
})();

const choose = (of: number, chosen: number): bigint => choices[of]?.[chosen] ?? 0n;

/** Ways to draw `watched` of the rows, `all` of which are bad, with at most so many bad ones: by their number. */
function waysUpTo(population: number, watched: number, all: number): readonly bigint[] {
  const ways: bigint[] = [];
  for (let drawn = 0; drawn <= watched; drawn += 1)
    ways.push((ways[drawn - 1] ?? 0n) + choose(all, drawn) * choose(population - all, watched - drawn));
  return ways;
}

/** True where the chance is at most 1 − `perMille` / 1000. */
const isUnlikely = (ways: bigint, of: bigint, perMille: number): boolean =>
  ways * 1000n <= of * BigInt(1000 - perMille);

/** The most bad rows for each number of bad ones that were watched, by trying all of them. */
function mostBadOf(population: number, watched: number, perMille: number): readonly number[] {
  const of = choose(population, watched);
  const tables = Array.from({ length: population + 1 }, (_, all) => waysUpTo(population, watched, all));
  return Array.from({ length: watched + 1 }, (_, bad) => {
    const possible = Array.from({ length: population - watched + 1 }, (_, more) => bad + more);
    return Math.max(...possible.filter((all) => !isUnlikely(tables[all]?.[bad] ?? 0n, of, perMille)));
  });
}

describe('the most rows that can be bad', () => {
  it.each([
    { perMille: 950, populations: Array.from({ length: 60 }, (_, at) => at + 1) },
    { perMille: 900, populations: [1, 2, 7, 10, 20, 33, 50] },
    { perMille: 990, populations: [1, 2, 7, 20, 40, 60] },
    { perMille: 999, populations: [5, 23, 60] },
    { perMille: 500, populations: [1, 2, 6, 17, 30] },
  ])('is what exact counting says, with a confidence of $perMille per mille', ({ perMille, populations }) => {
    for (const population of populations)
      for (let watched = 0; watched <= population; watched += 1) {
        const told = Array.from({ length: watched + 1 }, (_, bad) =>
          mostBad({ population, watched, bad }, perMille / 1000),
        );
        expect(told, `${watched} of ${population}`).toEqual(mostBadOf(population, watched, perMille));
      }
  });

  // By exact counting with fractions.
  it.each([
    [{ population: 3000, watched: 125, bad: 2 }, 146],
    [{ population: 3000, watched: 149, bad: 0 }, 58],
    [{ population: 3000, watched: 3000, bad: 7 }, 7],
    [{ population: 3000, watched: 0, bad: 0 }, 3000],
  ])('is told for a run: %j', (watched, most) => {
    expect(mostBad(watched, 0.95)).toBe(most);
  });
});

describe('how many more to watch', () => {
  it('is the first number with which so many are told, by trying one after the other', () => {
    for (const population of [1, 2, 10, 49, 50, 60, 150, 151, 400])
      for (const share of [0.02, 0.1])
        for (const [watched, bad] of [
          [0, 0],
          [1, 1],
          [10, 0],
          [10, 3],
          [40, 2],
        ] as const) {
          if (watched > population) continue;
          const isEnough = (more: number): boolean => {
            const evidence = { population, watched: watched + more, bad };
            return mostBad(evidence, 0.95) - bad <= Math.floor((population * Math.round(share * 100)) / 100);
          };
          let more = 0;
          while (!isEnough(more)) more += 1;
          const given = { population, watched, bad };
          expect(leftToWatch(given, 0.95, share), JSON.stringify({ ...given, share })).toBe(more);
        }
  });

  it('never asks for more than there are, and for none where all are watched', () => {
    expect(leftToWatch({ population: 30, watched: 30, bad: 30 }, 0.95, 0.02)).toBe(0);
    expect(leftToWatch({ population: 1, watched: 0, bad: 0 }, 0.999, 0.02)).toBe(1);
  });

  it('knows how many rows a share is', () => {
    // 0.29 * 100 is 28.999999999999996.
    const given = { population: 100, watched: 0, bad: 0 };
    expect(mostBad({ ...given, watched: leftToWatch(given, 0.95, 0.29) }, 0.95)).toBeLessThanOrEqual(29);
    expect(leftToWatch(given, 0.95, 0.29)).toBe(leftToWatch(given, 0.95, 0.295));
  });
});

test('a run of a million rows is no exception', () => {
  const runs: readonly Watched[] = [
    { population: 1_000_000, watched: 5000, bad: 0 },
    { population: 1_000_000, watched: 5000, bad: 100 },
    { population: 1_000_000, watched: 5000, bad: 5000 },
    { population: 1_000_000, watched: 400_000, bad: 399_000 },
  ];
  const told = runs.map((run) => [mostBad(run, 0.95), leftToWatch(run, 0.95, 0.02)]);
  for (const [at, [most = Number.NaN, left = Number.NaN]] of told.entries()) {
    const { population, watched, bad } = runs[at] ?? expect.unreachable();
    expect(most).toBeGreaterThanOrEqual(bad);
    expect(most).toBeLessThanOrEqual(population - watched + bad);
    expect(left).toBeGreaterThanOrEqual(0);
    expect(left).toBeLessThanOrEqual(population - watched);
  }
  // 1 − 0.05^(1/5000) of them, or 3 in 5000.
  expect(told[0]?.[0]).toBeCloseTo(597, -1);
  expect(told[2]).toEqual([1_000_000, expect.any(Number)]);
});
