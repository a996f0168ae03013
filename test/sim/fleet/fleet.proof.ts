import { describe, expect, it } from 'vitest';
import { byTurns } from '../../support/nightly.ts';
import { describeFlaw, isNoticed, playSeeds } from '../seeds.ts';
import { fleetMutants } from './mutants.ts';

/** `npm test` plays those before. */
const from = 11;
const seedCount = 12;
/** Worlds in which a mutant must be noticed; by day a quarter of the mutants is tried. */
const mutantSeeds = 400;
/** A deadline against hangs. */
const timeout = 1_800_000;

it(`workers that share a run keep every promise in ${seedCount} worlds (the night plays new ones)`, {
  timeout,
}, async () => {
  const reports = await playSeeds({ from, count: seedCount, kind: 'fleet' });
  const [first] = reports.filter(({ flaw }) => flaw !== null);
  expect(first === undefined ? null : describeFlaw(first, 'fleet')).toBeNull();
  expect(reports).toHaveLength(seedCount);
});

describe('the simulated fleets notice when', () => {
  it.for(byTurns(fleetMutants, 4).map((mutant) => [mutant.name, mutant] as const))(
    '%s',
    { timeout },
    async ([, mutant]) => {
      expect(await isNoticed(mutant, mutantSeeds, 'fleet')).toBe(true);
    },
  );
});
