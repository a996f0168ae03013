import { expect, it } from 'vitest';
import { describeFlaw, playSeeds } from '../seeds.ts';

/** The proof plays others. */
const seedCount = 40;

it(`an owner who gives old tables back pays for nothing twice in ${seedCount} worlds (more of them: npm run sim -- --owner)`, async () => {
  const reports = await playSeeds({ from: 1, count: seedCount, kind: 'owner' });
  const [first] = reports.filter(({ flaw }) => flaw !== null);
  expect(first === undefined ? null : describeFlaw(first, 'owner')).toBeNull();
  expect(reports).toHaveLength(seedCount);
  expect(reports.some(({ taskCount }) => taskCount > 10)).toBe(true);
});
