/** Plays pilots against three ways to price a video, and counts how often the range held what the rest then cost. */

import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { predictPoints, sumPaid, sumRest } from '../../../src/money/forecast/price-range.ts';
import { createSampler, type SampleCandidate } from '../../../src/money/forecast/sample.ts';
import type { Quality } from '../../../src/money/item.ts';

/** The same numbers on every machine. */
function createChance(seed: number) {
  let state = seed;
  const uniform = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const normal = (): number => Math.sqrt(-2 * Math.log(1 - uniform())) * Math.cos(2 * Math.PI * uniform());
  return { uniform, normal };
}

type Chance = ReturnType<typeof createChance>;
type PricedRow = SampleCandidate & { readonly points: number };
type Price = (row: SampleCandidate, chance: Chance) => number;

const base: Readonly<Record<Quality, number>> = { h: 20, m: 10, l: 5 };

const models: Readonly<Record<string, Price>> = {
  'one price for each quality': ({ quality }) => base[quality],
  'by length, give or take a tenth': ({ quality, characters }, { normal }) =>
    Math.max(1, Math.round(base[quality] * (0.3 + characters / 120) * (1 + 0.1 * normal()))),
  'by chance: one in forty costs five times as much': ({ quality }, { normal }) =>
    Math.max(1, Math.round(base[quality] * Math.exp(0.8 * normal()))),
};

const [fileRows, trials] = [1_000, 500];

function makeFile(price: Price, chance: Chance): PricedRow[] {
  return Array.from({ length: fileRows }, (_, at) => {
    const quality: Quality = chance.uniform() < 0.2 ? 'h' : chance.uniform() < 0.75 ? 'm' : 'l';
    const characters = Math.max(10, Math.round(Math.exp(4.6 + 0.7 * chance.normal())));
    const row = { key: at, id: `q-${at}`, quality, characters, pictures: 0 };
    return { ...row, points: price(row, chance) };
  });
}

type Choose = (rows: readonly PricedRow[], count: number, seed: number) => ReadonlySet<number>;

const sampled: Choose = (rows, count, seed) => {
  const sampler = createSampler(count, seed);
  for (const row of rows) sampler.add(row);
  return new Set(sampler.take().keys);
};

/** `--limit` on a file whose questions get longer. */
const firstAndShortest: Choose = (rows, count) =>
  new Set(
    rows
      .toSorted((a, b) => a.characters - b.characters)
      .slice(0, count)
      .map(({ key }) => key),
  );

/** How often the range held, and half its width as a share of what the rest cost. */
function play(price: Price, count: number, choose: Choose): string {
  let [held, known, width] = [0, 0, 0];
  for (let trial = 1; trial <= trials; trial += 1) {
    const rows = makeFile(price, createChance(trial));
    const chosen = choose(rows, count, trial);
    const rest = rows.filter(({ key }) => !chosen.has(key));
    const cost = rest.reduce((sum, { points }) => sum + points, 0);
    const range = predictPoints(
      sumPaid(rows.filter(({ key }) => chosen.has(key))),
      sumRest(rest.map((row) => ({ ...row, rows: 1 }))),
    );
    if (range === null) continue;
    known += 1;
    if (range.low <= cost && cost <= range.high) held += 1;
    width += (range.high - range.low) / 2 / cost;
  }
  const share = (part: number): string => `${Math.round(100 * part)} %`;
  if (known < trials / 2) return `no range in ${share(1 - known / trials)}`;
  return `${share(held / known)}, ±${share(width / known)}`;
}

test('the page says how often the range held', { timeout: 120_000 }, async () => {
  const lines = [
    '| what a video costs | 10 rows | 20 rows | 50 rows | the first 20 rows of a file whose questions get longer |',
    '|---|---|---|---|---|',
    ...Object.entries(models).map(([name, price]) => {
      const cells = [10, 20, 50].map((count) => play(price, count, sampled));
      return `| ${[name, ...cells, play(price, 20, firstAndShortest)].join(' | ')} |`;
    }),
  ];
  const page = await readFile(new URL('../../../docs/what-it-will-cost.md', import.meta.url), 'utf8');
  expect(page).toContain(lines.join('\n'));
});
