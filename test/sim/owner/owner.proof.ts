import { describe, expect, it } from 'vitest';
import { byTurns } from '../../support/nightly.ts';
import { describeFlaw, isNoticed, playSeeds } from '../seeds.ts';
import { ownerMutants } from './mutants.ts';

/** `npm test` plays those before. */
const from = 21;
const seedCount = 100;
/** Worlds in which a rule that is out must be noticed; by day a quarter of the rules is tried. */
const mutantSeeds = 600;
/** A deadline against hangs. */
const timeout = 1_800_000;

it(`an owner who gives old tables back pays for nothing twice in ${seedCount} worlds (the night plays new ones)`, {
  timeout,
}, async () => {
  const reports = await playSeeds({ from, count: seedCount, kind: 'owner' });
  const [first] = reports.filter(({ flaw }) => flaw !== null);
  expect(first === undefined ? null : describeFlaw(first, 'owner')).toBeNull();
  expect(reports).toHaveLength(seedCount);
});

describe('the owner pays twice when', () => {
  it.for(byTurns(ownerMutants, 4).map((mutant) => [mutant.name, mutant] as const))(
    '%s',
    { timeout },
    async ([, mutant]) => {
      expect(await isNoticed(mutant, mutantSeeds, 'owner')).toBe(true);
    },
  );
});
