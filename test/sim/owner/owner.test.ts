import { expect, it } from 'vitest';
import { describeFlaw, playSeeds } from '../seeds.ts';

/** The proof plays others. */
const seedCount = 20;

it(`an owner who gives old tables back pays for nothing twice in ${seedCount} worlds (more of them: npm run sim -- --owner)`, async () => {
  const reports = await playSeeds({ from: 1, count: seedCount, kind: 'owner' });
  const [first] = reports.filter(({ flaw }) => flaw !== null);
  expect(first === undefined ? null : describeFlaw(first, 'owner')).toBeNull();
  expect(reports).toHaveLength(seedCount);
  expect(reports.some(({ taskCount }) => taskCount > 10)).toBe(true);
});

it('an owner tells the same story for the same seed, byte for byte', async () => {
  const tell = async () =>
    (await playSeeds({ from: 1, count: 6, kind: 'owner' })).map(({ digest }) => digest);
  expect(await tell()).toEqual(await tell());
});
