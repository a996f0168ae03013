import { expect, it } from 'vitest';
import { nightSeed } from '../support/nightly.ts';
import { describeFlaw, playSeeds } from './seeds.ts';

/** A deadline against hangs. */
const timeout = 3_600_000;

it.for([
  { what: 'whole runs', kind: 'run', seedCount: 5_000 },
  { what: 'workers that share a run', kind: 'fleet', seedCount: 500 },
  { what: 'machines whose store goes back to a copy', kind: 'older', seedCount: 2_000 },
  { what: 'owners who type what they find', kind: 'owner', seedCount: 10_000 },
] as const)(
  '$what keep every promise in $seedCount worlds that nobody has played',
  { timeout },
  async (plan) => {
    const { kind, seedCount } = plan;
    const reports = await playSeeds({ from: nightSeed, count: seedCount, kind });
    const flaws = reports.filter(({ flaw }) => flaw !== null);
    const [first] = flaws;
    expect(first === undefined ? null : `${flaws.length} flaws; ${describeFlaw(first, kind)}`).toBeNull();
    expect(reports).toHaveLength(seedCount);
  },
);

it.for([
  { what: 'a world', kind: 'run', count: 50 },
  { what: 'a fleet', kind: 'fleet', count: 10 },
  { what: 'an owner', kind: 'owner', count: 20 },
] as const)(
  '$what tells the same story for the same seed, byte for byte',
  { timeout },
  async ({ kind, count }) => {
    const tell = async () => (await playSeeds({ from: 1, count, kind })).map(({ digest }) => digest);
    const first = await tell();
    expect(new Set(first).size).toBe(count);
    expect(await tell()).toEqual(first);
  },
);
