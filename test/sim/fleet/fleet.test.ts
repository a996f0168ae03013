import { expect, it } from 'vitest';
import { describeFlaw, playSeeds } from '../seeds.ts';

const seedCount = 10;

it(`workers that share a run keep every promise in ${seedCount} worlds (more of them: npm run sim -- --fleet)`, async () => {
  const reports = await playSeeds({ from: 1, count: seedCount, kind: 'fleet' });
  const [first] = reports.filter(({ flaw }) => flaw !== null);
  expect(first === undefined ? null : describeFlaw(first, 'fleet')).toBeNull();
  expect(reports).toHaveLength(seedCount);
  expect(reports.some(({ taskCount }) => taskCount > 3)).toBe(true);
});

it('a fleet tells the same story for the same seed, byte for byte', async () => {
  const tell = async () =>
    (await playSeeds({ from: 1, count: 2, kind: 'fleet' })).map(({ digest }) => digest);
  expect(await tell()).toEqual(await tell());
});
