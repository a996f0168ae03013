import { describe, expect, it } from 'vitest';
import { isNightly } from '../support/nightly.ts';
import { mutants } from './mutants.ts';
import { describeFlaw, playSeeds } from './seeds.ts';

const seedCount = isNightly ? 2_000 : 300;
/** Worlds in which a mutant must be noticed. */
const mutantSeeds = 2_000;
/** A deadline against hangs. */
const timeout = 1_800_000;

describe('whole runs in virtual time', () => {
  it(`keep every promise in ${seedCount} worlds`, { timeout }, async () => {
    const reports = await playSeeds({ from: 1, count: seedCount });
    const [first] = reports.filter(({ flaw }) => flaw !== null);
    expect(first === undefined ? null : describeFlaw(first)).toBeNull();
    expect(reports).toHaveLength(seedCount);
    expect(reports.some(({ taskCount }) => taskCount > 5)).toBe(true);
  });

  it('tell the same story for the same seed, byte for byte', { timeout }, async () => {
    const tell = async () => (await playSeeds({ from: 1, count: 50 })).map(({ digest }) => digest);
    const first = await tell();
    expect(new Set(first).size).toBe(50);
    expect(await tell()).toEqual(first);
  });
});

describe('the simulation notices when', () => {
  it.for(mutants.map((mutant) => [mutant.name, mutant] as const))('%s', { timeout }, async ([, mutant]) => {
    const { from = 1, about = null } = mutant;
    const reports = await playSeeds({ from, about, count: mutantSeeds, mutant, untilFlaw: true });
    expect(reports.filter(({ flaw }) => flaw !== null).length).toBeGreaterThan(0);
  });
});
