/**
 * What the rest of a run will cost, as a range: a prediction interval from the videos that were paid for, by quality, and
 * by length of text where the prices follow it.
 *
 * The price of a row is that of its quality, times a factor that may go with the length of its text, times chance. The
 * mean price is taken by quality; the factor and the spread, relative to that mean, are taken from all videos together,
 * because a pilot has only a few of some qualities. The range has room for both kinds of error: that of what was learned
 * from few videos, and the chance of each row to come. docs/what-it-will-cost.md says how often it was right.
 */

import { type Quality, qualities } from '../item.ts';
import { roundPoints } from '../summary.ts';

/** Sums over the paid videos of one quality: a million of them take no more room than three. */
export interface PaidSums {
  readonly quality: Quality;
  readonly videos: number;
  readonly points: number;
  readonly pointsSquared: number;
  /** Lengths of the texts. */
  readonly characters: number;
  readonly charactersSquared: number;
  /** Of length times points. */
  readonly products: number;
}

/** Rows of one quality that are still to be paid for. */
export interface RestSums {
  readonly quality: Quality;
  readonly rows: number;
  /** Mean length of their texts; null where unknown. */
  readonly meanCharacters: number | null;
}

export interface PriceRange {
  readonly low: number;
  readonly high: number;
  /** The best single guess. */
  readonly points: number;
  /** Paid videos that it is from. */
  readonly videos: number;
  /** True where the qualities of the rest have prices of their own. */
  readonly byQuality: boolean;
  /** True where prices follow the length of the text. */
  readonly byLength: boolean;
}

/** Fewer independent prices say nothing about their spread. */
const leastFreedom = 3;

/** With fewer, a few long texts that happen to cost more would be taken for a rule. */
const leastFreedomForLength = 5;

/** The length counts only if it explains at least half of the spread. */
const mostUnexplained = 0.5;

/** How far the mean length of the rest may be from that of the paid videos, in standard deviations of those. */
const mostDeviations = 2;

/** What binary rounding leaves of a spread that is none. */
const noSpread = 1e-12;

/**
 * Null while too few videos were paid for, or none of a quality in the rest, or only such with much shorter or longer
 * texts: what those would cost is a guess.
 */
export function predictPoints(paid: readonly PaidSums[], rest: readonly RestSums[]): PriceRange | null {
  const wanted = rest.filter(({ rows }) => rows > 0);
  const groups = paid.filter(({ videos }) => videos > 0).map(groupOf);
  const model = learn(groups);
  if (model === null || wanted.length === 0) return null;
  let [points, variance, shift] = [0, 0, 0];
  for (const { quality, rows, meanCharacters } of wanted) {
    const group = groups.find((one) => one.quality === quality);
    if (group === undefined) return null;
    const longer = (meanCharacters ?? group.length) - group.length;
    if (model.spread > 0 && Math.abs(longer) > mostDeviations * model.lengthDeviation) return null;
    points += rows * group.price * Math.max(0, 1 + model.slope * longer);
    variance += model.spread * group.price ** 2 * (rows ** 2 / group.videos + rows);
    shift += rows * group.price * longer;
  }
  variance += model.slopeVariance * shift ** 2;
  const reach = studentReach(model.freedom) * Math.sqrt(variance);
  return {
    ...rounded(Math.max(0, points - reach), points + reach),
    points: roundPoints(Math.max(0, points)),
    videos: groups.reduce((sum, { videos }) => sum + videos, 0),
    byQuality: wanted.length > 1,
    byLength: model.byLength,
  };
}

/** The paid videos of one quality; the last three are sums of squared deviations, relative to the mean price. */
interface Group {
  readonly quality: Quality;
  readonly videos: number;
  /** Mean points. */
  readonly price: number;
  /** Mean length. */
  readonly length: number;
  readonly priceSpread: number;
  readonly lengthSpread: number;
  readonly joint: number;
}

function groupOf({ quality, videos, points, characters, ...sums }: PaidSums): Group {
  const [price, length] = [points / videos, characters / videos];
  const deviation = (sum: number, mean: number): number => (sum - mean <= noSpread * sum ? 0 : sum - mean);
  return {
    quality,
    videos,
    price,
    length,
    priceSpread: deviation(sums.pointsSquared, points * price) / price ** 2,
    lengthSpread: deviation(sums.charactersSquared, characters * length),
    joint: (sums.products - points * length) / price,
  };
}

/** What the paid videos say about every price. */
interface Model {
  readonly byLength: boolean;
  /** Change of the price with one more character, relative to the mean of its quality; 0 where the length does not count. */
  readonly slope: number;
  readonly slopeVariance: number;
  readonly lengthDeviation: number;
  /** Variance of one price, relative to the mean of its quality. */
  readonly spread: number;
  readonly freedom: number;
}

function learn(groups: readonly Group[]): Model | null {
  const sum = (read: (group: Group) => number): number =>
    groups.reduce((total, group) => total + read(group), 0);
  const freedom = sum(({ videos }) => videos) - groups.length;
  if (freedom < leastFreedom) return null;
  const priceSpread = sum((group) => group.priceSpread);
  const lengthSpread = sum((group) => group.lengthSpread);
  const joint = sum((group) => group.joint);
  const lengthDeviation = Math.sqrt(lengthSpread / freedom);
  const plain = {
    byLength: false,
    slope: 0,
    slopeVariance: 0,
    lengthDeviation,
    spread: priceSpread / freedom,
    freedom,
  };
  if (freedom < leastFreedomForLength || lengthSpread === 0) return plain;
  const unexplained = Math.max(0, priceSpread - joint ** 2 / lengthSpread);
  const spread = unexplained / (freedom - 1);
  if (spread >= mostUnexplained * plain.spread) return plain;
  return {
    byLength: true,
    slope: joint / lengthSpread,
    slopeVariance: spread / lengthSpread,
    lengthDeviation,
    spread,
    freedom: freedom - 1,
  };
}

/**
 * How many standard errors the range reaches to each side. It aims at holding nine times of ten, and takes the reach of
 * 95 %: with that of 90 % it was right only in eight of ten where a few rows cost many times the others. Student's distribution
 * by the expansion of Cornish and Fisher, exact to a percent from three degrees of freedom on.
 */
function studentReach(freedom: number): number {
  const z = 1.959964;
  return (
    z +
    (z ** 3 + z) / (4 * freedom) +
    (5 * z ** 5 + 16 * z ** 3 + 3 * z) / (96 * freedom ** 2) +
    (3 * z ** 7 + 19 * z ** 5 + 17 * z ** 3 - 15 * z) / (384 * freedom ** 3)
  );
}

/** Outward to three digits; a range without width keeps them all. */
function rounded(low: number, high: number): Pick<PriceRange, 'low' | 'high'> {
  if (roundPoints(low) === roundPoints(high)) return { low: roundPoints(low), high: roundPoints(high) };
  const step = 10 ** Math.max(0, Math.floor(Math.log10(high)) - 2);
  return { low: Math.floor(low / step) * step, high: Math.ceil(high / step) * step };
}

/** Adds up paid videos one by one, where no database does. */
export function sumPaid(
  videos: Iterable<{ readonly quality: Quality; readonly points: number; readonly characters: number }>,
): readonly PaidSums[] {
  const sums = { h: { ...noSums }, m: { ...noSums }, l: { ...noSums } };
  for (const { quality, points, characters } of videos) {
    const sum = sums[quality];
    sum.videos += 1;
    sum.points += points;
    sum.pointsSquared += points ** 2;
    sum.characters += characters;
    sum.charactersSquared += characters ** 2;
    sum.products += points * characters;
  }
  return qualities.map((quality) => ({ quality, ...sums[quality] }));
}

const noSums = { videos: 0, points: 0, pointsSquared: 0, characters: 0, charactersSquared: 0, products: 0 };

/** Adds up rows that are still to be paid for; `all` says how many there are where only some were measured. */
export function sumRest(
  measured: Iterable<{ readonly quality: Quality; readonly rows: number; readonly characters: number }>,
  all?: Readonly<Record<Quality, number>>,
): readonly RestSums[] {
  const rows = { h: 0, m: 0, l: 0 };
  const characters = { ...rows };
  for (const { quality, ...sums } of measured) {
    rows[quality] += sums.rows;
    characters[quality] += sums.characters;
  }
  return qualities.map((quality) => ({
    quality,
    rows: (all ?? rows)[quality],
    meanCharacters: rows[quality] === 0 ? null : characters[quality] / rows[quality],
  }));
}
