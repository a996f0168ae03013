/**
 * Chooses the rows of a pilot, so that what they cost says something about the others: spread over quality, length of
 * text and number of pictures, and the same rows for the same seed, in whatever order they come. It holds a few rows of
 * each stratum, never all of them.
 */

import { chance } from '../chance.ts';
import { type Quality, qualities } from '../item.ts';

/** A row that may be chosen. */
export interface SampleCandidate {
  readonly key: number;
  /** Decides with the seed which rows of a stratum are chosen, so that the same file gives the same sample anywhere. */
  readonly id: string;
  readonly quality: Quality;
  /** Length of its text. */
  readonly characters: number;
  readonly pictures: number;
}

export interface Sample {
  /** Of the chosen rows. */
  readonly keys: readonly number[];
  /** Rows to choose from. */
  readonly rows: number;
  /** Strata that these rows were in. */
  readonly strata: number;
}

export interface Sampler {
  add(row: SampleCandidate): void;
  /** The sample of all added rows. */
  take(): Sample;
}

/** Rows of about the same price: one quality, one length within a factor of 1.4, no pictures, one, or more. */
interface Stratum {
  readonly quality: Quality;
  readonly length: number;
  readonly pictures: number;
  rows: number;
  /** Those that come first by chance. */
  kept: RankedRow[];
}

interface RankedRow {
  readonly key: number;
  readonly rank: number;
}

/** Of each quality at least so many, so that its price is more than that of one row. */
const leastOfQuality = 3;

/** Samples `count` rows, or all of them where there are fewer. */
export function createSampler(count: number, seed: number): Sampler {
  const strata = new Map<string, Stratum>();
  return {
    add({ key, id, quality, characters, pictures }) {
      const length = Math.floor(2 * Math.log2(characters + 1));
      const name = `${quality} ${length} ${Math.min(pictures, 2)}`;
      const known = strata.get(name);
      const stratum = known ?? { quality, length, pictures: Math.min(pictures, 2), rows: 0, kept: [] };
      if (known === undefined) strata.set(name, stratum);
      stratum.rows += 1;
      stratum.kept.push({ key, rank: chance(seed, id) });
      // Pruned now and then: sorting after each row would take longer than reading it.
      if (stratum.kept.length >= 2 * count + pruneRows) stratum.kept = firstOf(stratum.kept, count);
    },
    take() {
      const ordered = [...strata.values()].sort(
        (a, b) =>
          qualities.indexOf(a.quality) - qualities.indexOf(b.quality) ||
          a.length - b.length ||
          a.pictures - b.pictures,
      );
      const groups = [...Map.groupBy(ordered, ({ quality }) => quality)];
      const shares = shareOut(
        count,
        groups.map(([, cells]) => sumRows(cells)),
      );
      const keys = groups.flatMap(([quality, cells], at) =>
        chooseEvenly(cells, Number(shares[at]), chance(seed, quality)),
      );
      return { keys: keys.sort((a, b) => a - b), rows: sumRows(ordered), strata: ordered.length };
    },
  };
}

const pruneRows = 64;

function sumRows(strata: readonly Stratum[]): number {
  return sum(strata.map(({ rows }) => rows));
}

/** How many rows of each size to take: a few of each where there is room for them, the others in proportion. */
function shareOut(count: number, sizes: readonly number[]): readonly number[] {
  const wanted = Math.min(count, sum(sizes));
  const few = Math.min(leastOfQuality, Math.floor(wanted / sizes.length));
  const least = sizes.map((rows) => Math.min(rows, few));
  const left = wanted - sum(least);
  if (left <= 0) return least;
  const pool = sum(sizes) - sum(least);
  const exact = sizes.map((rows, at) => Number(least[at]) + (left * (rows - Number(least[at]))) / pool);
  const shares = exact.map(Math.floor);
  // What rounding left goes to the largest remainders.
  const order = exact.map((share, at) => ({ at, part: share % 1 })).sort((a, b) => b.part - a.part);
  const winners = new Set(order.slice(0, wanted - sum(shares)).map(({ at }) => at));
  return shares.map((share, at) => share + (winners.has(at) ? 1 : 0));
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((all, each) => all + each, 0);
}

/**
 * Takes rows at equal steps through the strata in order, from a start by chance: each row has the same chance, and a
 * stratum gets its share, rounded up or down. Rounding each share by itself would leave out the few longest texts, which
 * cost most.
 */
function chooseEvenly(strata: readonly Stratum[], count: number, start: number): number[] {
  const all = sumRows(strata);
  let [passed, taken] = [0, 0];
  return strata.flatMap(({ rows, kept }) => {
    passed += rows;
    // Whole at the end, whatever the start: exactly `count` rows are taken.
    const until = passed === all ? count : Math.floor((passed * count) / all + start);
    const share = Math.min(until, count) - taken;
    taken += share;
    return firstOf(kept, share).map(({ key }) => key);
  });
}

function firstOf(rows: readonly RankedRow[], count: number): RankedRow[] {
  return rows.toSorted((a, b) => a.rank - b.rank || a.key - b.key).slice(0, count);
}
