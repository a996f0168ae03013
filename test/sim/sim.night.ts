import { expect, it } from 'vitest';
import { nightSeed } from '../support/nightly.ts';
import { describeFlaw, playSeeds } from './seeds.ts';

/** A deadline against hangs. */
const timeout = 3_600_000;

it.for([
  { what: 'whole runs', isFleet: false, seedCount: 5_000 },
  { what: 'workers that share a run', isFleet: true, seedCount: 500 },
])('$what keep every promise in $seedCount worlds that nobody has played', { timeout }, async (plan) => {
  const { isFleet, seedCount } = plan;
  const reports = await playSeeds({ from: nightSeed, count: seedCount, isFleet });
  const flaws = reports.filter(({ flaw }) => flaw !== null);
  const [first] = flaws;
  expect(first === undefined ? null : `${flaws.length} flaws; ${describeFlaw(first, isFleet)}`).toBeNull();
  expect(reports).toHaveLength(seedCount);
});

it.for([
  { what: 'a world', isFleet: false, count: 50 },
  { what: 'a fleet', isFleet: true, count: 10 },
])('$what tells the same story for the same seed, byte for byte', { timeout }, async ({ isFleet, count }) => {
  const tell = async () => (await playSeeds({ from: 1, count, isFleet })).map(({ digest }) => digest);
  const first = await tell();
  expect(new Set(first).size).toBe(count);
  expect(await tell()).toEqual(first);
});
