import { describe, expect, it } from 'vitest';
import { byTurns } from '../support/nightly.ts';
import { mutants } from './mutants.ts';
import { describeFlaw, isNoticed, playSeeds } from './seeds.ts';

/** `npm test` plays those before. */
const from = 41;
const seedCount = 80;
/** Worlds in which a mutant must be noticed; by day a quarter of the mutants is tried. */
const mutantSeeds = 2_000;
/** A deadline against hangs. */
const timeout = 1_800_000;

it(`whole runs in virtual time keep every promise in ${seedCount} worlds (the night plays new ones)`, {
  timeout,
}, async () => {
  const reports = await playSeeds({ from, count: seedCount });
  const [first] = reports.filter(({ flaw }) => flaw !== null);
  expect(first === undefined ? null : describeFlaw(first)).toBeNull();
  expect(reports).toHaveLength(seedCount);
  expect(reports.some(({ taskCount }) => taskCount > 5)).toBe(true);
});

describe('the simulation notices when', () => {
  it.for(byTurns(mutants, 4).map((mutant) => [mutant.name, mutant] as const))(
    '%s',
    { timeout },
    async ([, mutant]) => {
      expect(await isNoticed(mutant, mutantSeeds)).toBe(true);
    },
  );
});
