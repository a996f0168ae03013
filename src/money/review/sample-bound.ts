/**
 * Pure. What a sample says of the rest: exact bounds of the hypergeometric distribution, by inversion. Nothing is assumed
 * but that the watched rows were drawn at random.
 */

/** What was watched of rows drawn at random, without putting any back. */
export interface Watched {
  /** Rows that were drawn from. */
  readonly population: number;
  readonly watched: number;
  /** Of the watched ones. */
  readonly bad: number;
}

/**
 * The most rows of the population that can be bad, those that were seen included: with one more, so few bad ones would have been
 * drawn with a chance of at most 1 − `confidence` (0.5..1).
 */
export function mostBad({ population, watched, bad }: Watched, confidence: number): number {
  let [least, most] = [bad, population - (watched - bad)];
  while (least < most) {
    const middle = Math.ceil((least + most) / 2);
    if (isUnlikely({ population, watched, bad }, middle, confidence)) most = middle - 1;
    else least = middle;
  }
  return least;
}

/**
 * How many more rows to watch until at most this `share` (0..1) of the population can be bad besides those that were
 * seen, if no further bad one comes up.
 */
export function leftToWatch(
  { population, watched, bad }: Watched,
  confidence: number,
  share: number,
): number {
  // A product such as 0.29 * 100 lies below the whole number that it stands for.
  const tooMany = Math.floor(population * share + 1e-9) + bad + 1;
  let [least, most] = [watched, population];
  while (least < most) {
    const middle = Math.floor((least + most) / 2);
    const isEnough =
      tooMany > population - (middle - bad) ||
      isUnlikely({ population, watched: middle, bad }, tooMany, confidence);
    if (isEnough) most = middle;
    else least = middle + 1;
  }
  return least - watched;
}

/** Above the error of the logarithms: a chance that is equal counts as unlikely, whatever the last digits say. */
const tolerance = 1e-9;

/** True where so few bad rows, or fewer, would hardly have been drawn if `all` rows of the population were bad. */
function isUnlikely({ population, watched, bad }: Watched, all: number, confidence: number): boolean {
  // The median is at most the mean, rounded up.
  if (bad * population >= watched * all) return false;
  // Below the mean the terms become smaller from here down. Logarithms, because the single factors are out of range.
  let term = Math.exp(
    logChoices(all, bad) + logChoices(population - all, watched - bad) - logChoices(population, watched),
  );
  let sum = term;
  for (let drawn = bad; drawn > 0 && term > sum * Number.EPSILON; drawn -= 1) {
    term *= (drawn * (population - all - watched + drawn)) / ((all - drawn + 1) * (watched - drawn + 1));
    sum += term;
  }
  return sum <= (1 - confidence) * (1 + tolerance);
}

/** The logarithm of the number of ways to choose so many of these. */
function logChoices(all: number, chosen: number): number {
  return logFactorial(all) - logFactorial(chosen) - logFactorial(all - chosen);
}

/** By Stirling's series, to the last digits from 16 on. */
function logFactorial(of: number): number {
  if (of < smallFactorials.length) return Math.log(Number(smallFactorials[of]));
  const square = 1 / (of * of);
  const correction = (1 / 12 - square * (1 / 360 - square * (1 / 1260 - square / 1680))) / of;
  return of * Math.log(of) - of + Math.log(2 * Math.PI * of) / 2 + correction;
}

const smallFactorials = Array.from({ length: 16 }, (_, of) => {
  let product = 1;
  for (let factor = 2; factor <= of; factor += 1) product *= factor;
  return product;
});
