import { expect, it } from 'vitest';
import { describeFlaw, playSeeds } from './seeds.ts';

/** The proof plays these worlds, too, and many more. */
const seedCount = 40;

it(`whole runs in virtual time keep every promise in ${seedCount} worlds (more of them: npm run sim)`, {
  timeout: 600_000,
}, async () => {
  const reports = await playSeeds({ from: 1, count: seedCount });
  const [first] = reports.filter(({ flaw }) => flaw !== null);
  expect(first === undefined ? null : describeFlaw(first)).toBeNull();
  expect(reports).toHaveLength(seedCount);
  expect(new Set(reports.map(({ digest }) => digest)).size).toBe(seedCount);
});

it('a world tells the same story for the same seed, byte for byte', async () => {
  const tell = async () => (await playSeeds({ from: 1, count: 5 })).map(({ digest }) => digest);
  expect(await tell()).toEqual(await tell());
});
