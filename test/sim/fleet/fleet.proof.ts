import { describe, expect, it } from 'vitest';
import { isNightly } from '../../support/nightly.ts';
import { describeFlaw, playSeeds } from '../seeds.ts';
import { fleetMutants } from './mutants.ts';

const seedCount = isNightly ? 100_000 : 100;
/** Worlds in which a mutant must be noticed. */
const mutantSeeds = 400;
/** A deadline against hangs. */
const timeout = isNightly ? 86_400_000 : 1_800_000;

it(`workers that share a run keep every promise in ${seedCount} worlds`, { timeout }, async () => {
  const reports = await playSeeds({ from: 1, count: seedCount, isFleet: true });
  const [first] = reports.filter(({ flaw }) => flaw !== null);
  expect(first === undefined ? null : describeFlaw(first)).toBeNull();
  expect(reports).toHaveLength(seedCount);
});

describe('the simulated fleets notice when', () => {
  it.for(fleetMutants.map((mutant) => [mutant.name, mutant] as const))(
    '%s',
    { timeout },
    async ([, mutant]) => {
      const { from = 1, about = null } = mutant;
      const reports = await playSeeds({
        from,
        about,
        count: mutantSeeds,
        mutant,
        untilFlaw: true,
        isFleet: true,
      });
      expect(reports.filter(({ flaw }) => flaw !== null).length).toBeGreaterThan(0);
    },
  );
});
