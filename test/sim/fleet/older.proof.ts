import { expect, it } from 'vitest';
import { describeFlaw, isNoticed, playSeeds } from '../seeds.ts';
import { olderMutants } from './mutants.ts';

const seedCount = 40;
/** A deadline against hangs. */
const timeout = 600_000;

it(`machines whose store goes back to a copy keep every promise in ${seedCount} worlds (more of them: npm run sim -- --older)`, {
  timeout,
}, async () => {
  const reports = await playSeeds({ from: 1, count: seedCount, kind: 'older' });
  const [first] = reports.filter(({ flaw }) => flaw !== null);
  expect(first === undefined ? null : describeFlaw(first, 'older')).toBeNull();
  expect(reports).toHaveLength(seedCount);
});

it.for(olderMutants.map((mutant) => [mutant.name, mutant] as const))(
  'they notice when %s',
  { timeout },
  async ([, mutant]) => {
    expect(await isNoticed(mutant, 60, 'older')).toBe(true);
  },
);
