import { describe, expect, it, test } from 'vitest';
import {
  type DrawnFacts,
  type DrawnRow,
  drawnKeys,
  drawnRow,
  drawSample,
  grown,
  mostKeys,
  type SampleStanding,
  shareAtMost,
  standingOfSample,
  type WatchSample,
} from '../../../src/money/review/watch-sample.ts';

const upTo = (count: number): number[] => Array.from({ length: count }, (_, at) => at + 1);

const drawnAt = 1000;
const draw = (keys: readonly number[], seed = 7): WatchSample =>
  drawSample(keys, { seed, at: drawnAt, confidence: 0.95 });

describe('a sample', () => {
  it('has as many rows as it takes if all are good, and as few as there are', () => {
    expect(draw(upTo(3000))).toMatchObject({ seed: 7, at: drawnAt, population: 3000, size: 143 });
    expect(draw(upTo(20))).toMatchObject({ population: 20, size: 19 });
    expect(draw([])).toMatchObject({ population: 0, size: 0, keys: [] });
  });

  it('is the same for all who draw from the same rows, in whatever order they have them', () => {
    const keys = upTo(200);
    expect(draw(keys.toReversed())).toEqual(draw(keys));
    expect(draw(keys, 8).keys).not.toEqual(draw(keys).keys);
    // Two keys with the same chance.
    expect(draw([46_897, 1_020_610], 0)).toEqual(draw([1_020_610, 46_897], 0));
    expect(draw(keys).keys.toSorted((a, b) => a - b)).toEqual(keys);
  });

  it('keeps an order of rows to come, so that it can grow', () => {
    const sample = draw(upTo(6000));
    expect(sample.keys).toHaveLength(mostKeys);
    expect(drawnKeys(sample)).toEqual(sample.keys.slice(0, sample.size));
    expect(drawnKeys(grown(sample, 10))).toEqual(sample.keys.slice(0, sample.size + 10));
    expect(grown(sample, -1)).toEqual(sample);
    expect(grown(sample, 9000).size).toBe(mostKeys);
  });

  it('is drawn without favour: each row is as often among the first as any other', () => {
    const [rows, first, samples] = [40, 10, 4000];
    const times = new Map<number, number>();
    for (let seed = 0; seed < samples; seed += 1)
      for (const key of draw(upTo(rows), seed).keys.slice(0, first))
        times.set(key, (times.get(key) ?? 0) + 1);
    const expected = (samples * first) / rows;
    const squares = upTo(rows).map((key) => ((times.get(key) ?? 0) - expected) ** 2 / expected);
    // Chi squared with 39 degrees of freedom: above 73 in one of a thousand tries.
    expect(squares.reduce((sum, each) => sum + each, 0)).toBeLessThan(73);
  });

  it('has as many of a chapter as chance gives it, where the bad rows lie together', () => {
    const [rows, chapter, first, samples] = [20, 5, 8, 4000];
    const times = new Map<number, number>();
    for (let seed = 0; seed < samples; seed += 1) {
      const { length } = draw(upTo(rows), seed)
        .keys.slice(0, first)
        .filter((key) => key <= chapter);
      times.set(length, (times.get(length) ?? 0) + 1);
    }
    // Of the 125,970 ways to draw 8 of 20, those with 0 to 5 of these 5.
    const ways = [6435, 32_175, 50_050, 30_030, 6825, 455];
    const squares = ways.map((way, at) => {
      const expected = (samples * way) / 125_970;
      return ((times.get(at) ?? 0) - expected) ** 2 / expected;
    });
    // With 5 degrees of freedom: above 20.5 in one of a thousand tries.
    expect(squares.reduce((sum, each) => sum + each, 0)).toBeLessThan(20.5);
  });
});

describe('a drawn row', () => {
  const first: DrawnFacts = { standing: 1, submittedAt: 500, attempts: [1], marks: [], draft: null };
  const again: DrawnFacts = { ...first, standing: 2, submittedAt: 1500, attempts: [1, 2] };
  const good = (attempt: number | null) => ({ attempt, mark: 'good' }) as const;
  const bad = (attempt: number | null) => ({ attempt, mark: 'bad' }) as const;

  it.each<[string, DrawnFacts, DrawnRow]>([
    ['without marks has no verdict', first, { verdict: null, before: null }],
    [
      'with a note alone has no verdict',
      { ...first, marks: [{ attempt: 1, mark: '' }] },
      { verdict: null, before: null },
    ],
    ['has that of its reviewer', { ...first, marks: [good(1)] }, { verdict: 'good', before: null }],
    [
      'is bad where reviewers contradict each other',
      { ...first, marks: [good(1), bad(1)] },
      { verdict: 'bad', before: null },
    ],
    [
      'has no verdict by marks for another attempt, or for one that nobody knows',
      { ...first, marks: [bad(2), bad(null)] },
      { verdict: null, before: null },
    ],
    [
      'that had two attempts when it was drawn stands as it was',
      { ...again, submittedAt: 900, marks: [bad(1), good(2)] },
      { verdict: 'good', before: null },
    ],
    [
      'whose time of submission nobody knows stands as it was',
      { ...again, submittedAt: null, marks: [good(2)] },
      { verdict: 'good', before: null },
    ],
    [
      'whose only video came after the drawing has nothing before',
      { ...again, attempts: [2], marks: [good(2)] },
      { verdict: 'good', before: null },
    ],
    [
      'that was made again keeps what was said of its video before',
      { ...again, marks: [bad(1)] },
      { verdict: null, before: 'bad' },
    ],
    [
      'that was made again has a verdict of its own',
      { ...again, marks: [good(1), good(2)] },
      { verdict: 'good', before: 'good' },
    ],
    [
      'that was made again counts as bad before where nobody knows any more',
      { ...again, marks: [good(2)] },
      { verdict: 'good', before: 'bad' },
    ],
    [
      'whose draft stands again, because its final is bad, is good as it was',
      { ...first, attempts: [1, 2], marks: [bad(2)], draft: 1 },
      { verdict: 'good', before: null },
    ],
    [
      'whose good draft was ordered as a final was good before',
      { ...again, marks: [good(2)], draft: 1 },
      { verdict: 'good', before: 'good' },
    ],
  ])('%s', (_, facts, drawn) => {
    expect(drawnRow(facts, { at: drawnAt })).toEqual(drawn);
  });
});

describe('what a sample says', () => {
  const is = (verdict: DrawnRow['verdict'], before: DrawnRow['before'] = null): DrawnRow => ({
    verdict,
    before,
  });
  const [good, bad, open] = [is('good'), is('bad'), is(null)];
  const of = (rows: readonly DrawnRow[]): SampleStanding =>
    standingOfSample({ population: 3000, size: 143 }, rows, 0.95);

  it.each<[string, readonly DrawnRow[], Partial<SampleStanding>]>([
    ['nothing before the first is watched', [open, good], { watched: 0, bad: 0, mostBad: null, left: 143 }],
    ['nothing where none is drawn', [], { watched: 0, mostBad: null }],
    [
      'how many of the others can be bad',
      [bad, bad, ...upTo(123).map(() => good)],
      { watched: 125, bad: 2, mostBad: 144, others: 2875, madeAgain: 0, toWatchAgain: 0 },
    ],
    [
      'nothing more of rows that come after one without a verdict',
      [bad, ...upTo(40).map(() => good), open, bad, good],
      { watched: 41, bad: 1 },
    ],
    [
      'the same of the others when the bad ones were made again',
      [is('good', 'bad'), is('bad', 'bad'), ...upTo(123).map(() => good)],
      { watched: 125, bad: 1, mostBad: 144, madeAgain: 2, toWatchAgain: 0 },
    ],
    [
      'nothing of new videos that nobody has watched',
      [is(null, 'bad'), is(null, 'good'), ...upTo(123).map(() => good), open],
      { watched: 123, bad: 0, mostBad: 109, others: 2875, madeAgain: 2, toWatchAgain: 2 },
    ],
    ['that no more is to be watched', upTo(145).map(() => good), { watched: 145, left: 0, mostBad: 59 }],
  ])('is %s', (_, rows, standing) => {
    expect(of(rows)).toEqual({ ...of(rows), ...standing });
  });

  it('is said of those that were not made again since, and of no more', () => {
    const rows = [bad, ...upTo(40).map(() => good), open, is(null, 'good')];
    const sample = { population: 50, size: 43 };
    expect(standingOfSample(sample, rows, 0.95, 6)).toMatchObject({ others: 2, othersAgain: 6, mostBad: 2 });
    expect(standingOfSample(sample, rows, 0.95, 9)).toMatchObject({ others: 0, mostBad: 0 });
  });

  it('is told in tenths of a percent, rounded up so that it stays true', () => {
    expect(shareAtMost({ mostBad: 144, population: 3000 })).toBe(0.048);
    expect(shareAtMost({ mostBad: 145, population: 3000 })).toBe(0.049);
    expect(shareAtMost({ mostBad: 0, population: 3000 })).toBe(0);
    expect(shareAtMost({ mostBad: null, population: 3000 })).toBeNull();
  });
});

/** Numbers of 0..1, the same at each run: a generator of Lehmer's, which is quicker than `chance`. */
function numbersFrom(seed: number): () => number {
  let state = (seed * 16_807 + 1) % 2_147_483_647;
  return () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
}

/** What happens in the reviews of one kind. */
interface Kind {
  /** Reviewers per row; a row is bad where one of them says so. */
  readonly reviewers: number;
  /** Share of the drawn rows that nobody judges. */
  readonly passedOver: number;
  /** Share of the rows marked bad that are made again, and of these the ones that are watched again. */
  readonly madeAgain: number;
  readonly watchedAgain: number;
}

/** True where no more of the others are bad than the review says, with its rows `counted` so. */
function isCovered(
  seed: number,
  { reviewers, passedOver, madeAgain, watchedAgain }: Kind,
  counted = (row: DrawnRow): DrawnRow => row,
): boolean {
  const next = numbersFrom(seed);
  const population = [12, 30, 60, 100, 180][Math.floor(next() * 5)] ?? 0;
  const badShare = [0, 0.02, 0.05, 0.1, 0.2, 0.3, 0.5][Math.floor(next() * 7)] ?? 0;
  const keys = upTo(population);
  // What each reviewer would say of each video.
  const opinions = keys.map(() => Array.from({ length: reviewers }, () => next() < badShare / reviewers));
  const isBad = opinions.map((said) => said.includes(true));
  const sample = drawSample(keys, { seed, at: drawnAt, confidence: 0.95 });
  // Not always as many as it takes, or the bounds of small numbers would go untried.
  const { length } = sample.keys;
  const size = Math.max(1, Math.ceil(next() * length));
  const rows = drawnKeys({ ...sample, size }).map((key): DrawnRow => {
    const facts = { standing: 1, submittedAt: 1, attempts: [1], draft: null };
    if (next() < passedOver) return drawnRow({ ...facts, marks: [] }, sample);
    const marks: DrawnFacts['marks'][number][] = (opinions[key - 1] ?? []).map((bad) => ({
      attempt: 1,
      mark: bad ? 'bad' : 'good',
    }));
    if (isBad[key - 1] !== true || next() >= madeAgain) return drawnRow({ ...facts, marks }, sample);
    isBad[key - 1] = next() < badShare;
    // A reviewer has one mark for each row: the new one takes the place of that before.
    if (next() < watchedAgain) marks[0] = { attempt: 2, mark: isBad[key - 1] ? 'bad' : 'good' };
    return drawnRow({ ...facts, standing: 2, submittedAt: 2000, attempts: [1, 2], marks }, sample);
  });
  const told = standingOfSample({ population, size }, rows.map(counted), 0.95);
  if (told.mostBad === null) return true;
  let watched = told.watched;
  const seen = new Set<number>();
  for (const [at, { verdict, before }] of rows.entries()) {
    // Nothing is said of a new video.
    if (before !== null && verdict === null) seen.add(Number(sample.keys[at]));
    if (verdict === null || watched === 0) continue;
    seen.add(Number(sample.keys[at]));
    watched -= 1;
  }
  return keys.filter((key) => isBad[key - 1] === true && !seen.has(key)).length <= told.mostBad;
}

test('of 20,000 reviews at least 95 % of each kind say no less than is so', () => {
  const kinds: readonly Kind[] = [
    { reviewers: 1, passedOver: 0, madeAgain: 0, watchedAgain: 0 },
    { reviewers: 1, passedOver: 0, madeAgain: 0.7, watchedAgain: 0.5 },
    { reviewers: 1, passedOver: 0.03, madeAgain: 0, watchedAgain: 0 },
    { reviewers: 2, passedOver: 0, madeAgain: 0, watchedAgain: 0 },
    { reviewers: 2, passedOver: 0.03, madeAgain: 0.7, watchedAgain: 0.8 },
  ];
  for (const [at, kind] of kinds.entries()) {
    const tries = 4000;
    const covered = upTo(tries).filter((seed) => isCovered(at * tries + seed, kind)).length;
    expect(covered / tries, JSON.stringify(kind)).toBeGreaterThanOrEqual(0.95);
  }
});

test('whoever counts only the new videos of rows that were made again promises too much', () => {
  const kind = { reviewers: 1, passedOver: 0, madeAgain: 1, watchedAgain: 1 };
  const asNew = ({ verdict }: DrawnRow): DrawnRow => ({ verdict, before: null });
  const tries = 2000;
  const covered = upTo(tries).filter((seed) => isCovered(seed, kind, asNew)).length;
  expect(covered / tries).toBeLessThan(0.9);
});
